/** The advisory locks of the whole database: arbitrary fixed numbers, all here so that no two are equal. */
export const ADVISORY_LOCK = {
  migrating: 7_275_397,
  creatingPartitions: 7_275_398,
  droppingPartitions: 7_275_399,
  foldingCounters: 7_275_400,
} as const;
