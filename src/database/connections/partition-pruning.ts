/** The first version of PostgreSQL that must prune no partitions where something may change. */
export const NO_PRUNING_SINCE = 18;

/**
 * A statement that lets such a server do without, for the rest of the session. When a row that a statement locks or
 * changes was changed meanwhile, the server looks at it again; since version 18 it prunes partitions for that second
 * look by what the first has left of them, and finds neither this row nor, in an UPDATE, those after it: they are passed
 * over without an error. So every connection on which something may change does without, and reads more partitions for
 * it. Earlier versions are not affected, and keep pruning.
 */
export const WITHOUT_PRUNING = `SELECT set_config('enable_partition_pruning', 'off', false)
 WHERE current_setting('server_version_num')::int / 10000 >= ${NO_PRUNING_SINCE}`;
