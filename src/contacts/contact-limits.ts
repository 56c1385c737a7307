/** Maximum lengths of a contact's fields, in Unicode code points. */
export const CONTACT_LIMITS = {
  firstName: 256,
  lastName: 256,
  company: 256,
  /** The longest deliverable address (RFC 5321). */
  email: 254,
  tag: 64,
  /** Tags of one contact. */
  tags: 100,
} as const;
