import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { isInstalled } from './commands.js';
import { freePort } from './free-port.js';
import { closed, opened } from './left-open.js';
import { Hopeless, until } from './until.js';

/** Whether `pgbouncer` is on the PATH; without it, the tests that need it are skipped. */
export const pgbouncerFound = isInstalled('pgbouncer');

/** Ports that are tried before a PgBouncer that ends at once has another reason. */
const MAX_TRIES = 5;

/** Runs a private PgBouncer in transaction mode in front of one database. */
export class PgBouncer {
  private constructor(
    readonly url: string,
    private readonly child: ChildProcess,
    private readonly directory: string,
  ) {}

  /**
   * @param databaseUrl URL of the database behind it
   * @param serverConnections number of connections that all clients share
   */
  static async start(databaseUrl: string, serverConnections: number): Promise<PgBouncer> {
    for (let tries = 1; ; tries += 1) {
      const bouncer = await PgBouncer.launch(databaseUrl, serverConnections);
      try {
        await bouncer.answers();
        opened(bouncer, 'a PgBouncer', () => bouncer.stop());
        return bouncer;
      } catch (error) {
        // Somebody may have taken the port in the meantime.
        const isOver = hasEnded(bouncer.child);
        await bouncer.stop();
        if (!isOver || tries === MAX_TRIES) throw error;
      }
    }
  }

  private static async launch(databaseUrl: string, serverConnections: number): Promise<PgBouncer> {
    const { hostname, port, username, password, pathname } = new URL(databaseUrl);
    const directory = mkdtempSync(join(tmpdir(), 'parley-pgbouncer-'));
    // PgBouncer refuses to run as root, so another user must be able to read its files.
    chmodSync(directory, 0o755);
    const ownPort = await freePort();
    const name = pathname.slice(1);
    const users = join(directory, 'users.txt');
    writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
    const settings = join(directory, 'pgbouncer.ini');
    writeFileSync(
      settings,
      `[databases]
${name} = host=${hostname} port=${port} dbname=${name}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 200
`,
    );
    const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const child = spawn('pgbouncer', ['-q', ...asOther, settings], { stdio: 'ignore' });
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String(ownPort);
    return new PgBouncer(url.href, child, directory);
  }

  async stop(): Promise<void> {
    closed(this);
    if (!hasEnded(this.child)) {
      const ended = new Promise((resolve) => this.child.once('exit', resolve));
      this.child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Waits until it answers. Who answers while it runs is itself: it ends when another has its port. */
  private async answers(): Promise<void> {
    const { child, url } = this;
    await until('pgbouncer answers', async () => {
      const answered = await answers(url);
      if (hasEnded(child)) throw new Hopeless(`pgbouncer ended with ${child.exitCode ?? child.signalCode}`);
      return answered;
    });
  }
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000, query_timeout: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
