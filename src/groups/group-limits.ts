/** Lengths of a group's fields, in Unicode code points, and of lists. */
export const GROUP_LIMITS = {
  name: 256,
  description: 1024,
  tag: 64,
  /** Tags of one group. */
  tags: 100,
  /** Contacts named in one request. */
  contactIds: 10_000,
} as const;
