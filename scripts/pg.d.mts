export interface PostgresOptions {
  /** Contains the cluster's record and, if possible, the cluster itself. The caller holds its lock. */
  dataDir: string;
  /** Name of the cluster within the directory. */
  name?: string;
  /** Settings that override the defaults, for example `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** An older version, 16 or 17; these are development dependencies. */
  major?: number;
  /** Whether it must have its last port, because others have its address already: it waits for that port. */
  samePort?: boolean;
}

export interface PostgresServer {
  /** Connects to the database `postgres` as the superuser. */
  url: string;
  pid: number;
  port: number;
  /** Whether it was already running, left behind by a killed launcher. */
  adopted: boolean;
  /** Contains `data/` and `server.log`. */
  directory: string;
  /** Fast shutdown; resolves when the server is gone. */
  stop(): Promise<void>;
}

export function startPostgres(options: PostgresOptions): Promise<PostgresServer>;

/** Stops the cluster if it is running, and deletes it; with `inBackground`, does not wait for the deletion. */
export function removePostgres(options: { dataDir: string; name?: string; inBackground?: boolean }): Promise<void>;
