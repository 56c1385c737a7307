/** Lengths of a contact's fields, in Unicode code points. */
export const CONTACT_LIMITS = {
  firstName: 256,
  lastName: 256,
  company: 256,
  /** RFC 5321: the longest address that can be written to. */
  email: 254,
  tag: 64,
  /** Tags of one contact. */
  tags: 100,
} as const;
