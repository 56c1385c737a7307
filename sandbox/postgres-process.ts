import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '../scripts/pg.mjs';
import { isAlive, processStart } from '../scripts/process-identity.mjs';

const CHECK_INTERVAL_MS = 250;

/** Owns the sandbox's PostgreSQL, and restarts it at the same address when it dies. */
export class PostgresProcess {
  private readonly watching = new AbortController();
  private watch: Promise<void>;

  private constructor(
    private readonly dataDir: string,
    private server: PostgresServer,
  ) {
    this.watch = this.supervise();
  }

  static async start(dataDir: string): Promise<PostgresProcess> {
    return new PostgresProcess(dataDir, await startPostgres({ dataDir }));
  }

  get url(): string {
    return this.server.url;
  }

  async stop(): Promise<void> {
    this.watching.abort();
    await this.watch;
    await this.server.stop();
  }

  /** Requests a fast shutdown without waiting for it; used on the second Ctrl-C. */
  abandon(): void {
    this.watching.abort();
    try {
      process.kill(this.server.pid, 'SIGINT');
    } catch {
      // Already gone.
    }
  }

  private async supervise(): Promise<void> {
    const { signal } = this.watching;
    // An adopted server is not our child, so polling is the only way to notice its end.
    for (let start = processStart(this.server.pid); !signal.aborted; ) {
      await sleep(CHECK_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted || isAlive({ pid: this.server.pid, start })) continue;
      // The data directory was deleted: a new, empty cluster would only hide that.
      if (!existsSync(path.join(this.dataDir, 'postgres.json'))) return;
      try {
        this.server = await startPostgres({ dataDir: this.dataDir, samePort: true });
        start = processStart(this.server.pid);
        console.error(`PostgreSQL exited and was restarted (process ${this.server.pid}).`);
      } catch (error) {
        console.error(`PostgreSQL exited and could not be restarted: ${(error as Error).message}`);
      }
    }
  }
}
