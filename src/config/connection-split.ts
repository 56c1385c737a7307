/** How many PostgreSQL connections a process may hold for each purpose. */
export interface ConnectionSplit {
  /**
   * API keys, the configuration epoch and health: every request needs them, so they must never wait for slow queries.
   */
  readonly control: number;
  /** Lists, searches and exports. */
  readonly reads: number;
  /** All other statements of requests. */
  readonly writes: number;
  /** The batches that every send and every status report goes through. */
  readonly pipeline: number;
  /** Sweeps, the outbox relay, retention. */
  readonly background: number;
  /** LISTEN for the outbox. */
  readonly listen: number;
  /** Queues on PostgreSQL. */
  readonly queue: number;
}

type SharedPurpose = Exclude<keyof ConnectionSplit, 'listen' | 'queue'>;

/** What determines how many connections are reserved before the rest are divided up. */
export interface ConnectionUse {
  readonly worker: boolean;
  /** The number of queues; 0 if they are on Redis. */
  readonly queuesInPostgres: number;
}

/** How the remaining connections are divided, and the minimum for each purpose. */
const SHARES: Readonly<Record<SharedPurpose, { readonly weight: number; readonly min: number }>> = {
  control: { weight: 2, min: 1 },
  reads: { weight: 4, min: 1 },
  // An import holds one connection for seconds.
  writes: { weight: 4, min: 2 },
  pipeline: { weight: 7, min: 1 },
  // Dropping partitions holds one connection while it uses another.
  background: { weight: 2, min: 2 },
};
const PURPOSES = Object.keys(SHARES) as SharedPurpose[];
const ALL_WEIGHTS = PURPOSES.reduce((sum, purpose) => sum + SHARES[purpose].weight, 0);

const fixedConnections = ({ worker, queuesInPostgres }: ConnectionUse): Pick<ConnectionSplit, 'listen' | 'queue'> => ({
  listen: worker ? 1 : 0,
  // A worker listens for the jobs of each queue on a connection of its own; one more runs the queries.
  queue: queuesInPostgres === 0 ? 0 : 1 + (worker ? queuesInPostgres : 0),
});

/** The smallest number of connections that a process can run with. */
export function minConnections(use: ConnectionUse): number {
  const { listen, queue } = fixedConnections(use);
  return PURPOSES.reduce((sum, purpose) => sum + SHARES[purpose].min, listen + queue);
}

/** Divides `total` connections, at least {@link minConnections}, among the purposes. */
export function splitConnections(total: number, use: ConnectionUse): ConnectionSplit {
  const fixed = fixedConnections(use);
  const shared = total - fixed.listen - fixed.queue;
  const ideal = (purpose: SharedPurpose): number => (shared * SHARES[purpose].weight) / ALL_WEIGHTS;
  const split = { control: 0, reads: 0, writes: 0, pipeline: 0, background: 0 };
  for (const purpose of PURPOSES) split[purpose] = Math.max(SHARES[purpose].min, Math.floor(ideal(purpose)));
  const surplus = () => PURPOSES.reduce((sum, purpose) => sum + split[purpose], 0) - shared;
  // Rounding down leaves some over; minimums may take too many.
  while (surplus() < 0) split[furthestFrom((purpose) => ideal(purpose) - split[purpose])] += 1;
  while (surplus() > 0) {
    split[
      furthestFrom((purpose) => (split[purpose] > SHARES[purpose].min ? split[purpose] - ideal(purpose) : -total))
    ] -= 1;
  }
  return { ...split, ...fixed };
}

const furthestFrom = (distance: (purpose: SharedPurpose) => number): SharedPurpose =>
  PURPOSES.reduce((furthest, purpose) => (distance(purpose) > distance(furthest) ? purpose : furthest));
