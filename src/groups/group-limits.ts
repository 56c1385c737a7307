/** Maximum lengths of a group's fields, in Unicode code points, and of its lists. */
export const GROUP_LIMITS = {
  name: 256,
  description: 1024,
  tag: 64,
  /** Tags of one group. */
  tags: 100,
  /** Contacts in one request. */
  contactIds: 10_000,
} as const;
