import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '../scripts/pg.mjs';
import { isAlive, processStart } from '../scripts/process-identity.mjs';

const LOOK_EVERY_MS = 250;

/** Owns the sandbox's PostgreSQL: starts it again, under the same address, when it dies. */
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

  /** A fast shutdown that goes on by itself: the second Ctrl-C. */
  abandon(): void {
    this.watching.abort();
    try {
      process.kill(this.server.pid, 'SIGINT');
    } catch {
      // It has gone already.
    }
  }

  private async supervise(): Promise<void> {
    const { signal } = this.watching;
    // One that was adopted is no child of ours: looking is the only way to notice.
    for (let start = processStart(this.server.pid); !signal.aborted; ) {
      await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted || isAlive({ pid: this.server.pid, start })) continue;
      // The data directory was deleted under us: a new, empty cluster would only hide it.
      if (!existsSync(path.join(this.dataDir, 'postgres.json'))) return;
      try {
        this.server = await startPostgres({ dataDir: this.dataDir });
        start = processStart(this.server.pid);
        console.error(`PostgreSQL had ended and was started again (process ${this.server.pid}).`);
      } catch (error) {
        console.error(`Starting PostgreSQL again failed: ${(error as Error).message}`);
      }
    }
  }
}
