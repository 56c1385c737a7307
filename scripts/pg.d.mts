export interface PostgresOptions {
  /** Directory whose lock the caller holds; holds the cluster's record and, where possible, the cluster itself. */
  dataDir: string;
  /** Names the cluster within the directory. */
  name?: string;
  /** postgresql.conf settings on top of the defaults, for example `{ fsync: 'off' }`. */
  settings?: Record<string, string>;
  /** An older PostgreSQL, 16 or 17, of those that development installs. */
  major?: number;
}

export interface PostgresServer {
  /** Connects as the superuser to the database `postgres`. */
  url: string;
  pid: number;
  port: number;
  /** Whether it was running already, left by a launcher that was killed. */
  adopted: boolean;
  /** Holds `data/` and `server.log`. */
  directory: string;
  /** Fast shutdown; resolves when the server is gone. */
  stop(): Promise<void>;
}

export function startPostgres(options: PostgresOptions): Promise<PostgresServer>;

/** Stops the cluster if it runs, and deletes it; `inBackground` does not wait for its files to be gone. */
export function removePostgres(options: { dataDir: string; name?: string; inBackground?: boolean }): Promise<void>;
