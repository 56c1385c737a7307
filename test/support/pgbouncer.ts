import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { isInstalled } from './commands.js';
import { freePort } from './free-port.js';
import { until } from './until.js';

/** Whether `pgbouncer` is on the PATH; without it, the tests that need it are skipped. */
export const pgbouncerFound = isInstalled('pgbouncer');

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
    const bouncer = new PgBouncer(url.href, child, directory);
    try {
      await until('pgbouncer answers', () => answers(url.href));
    } catch (error) {
      await bouncer.stop();
      throw error;
    }
    return bouncer;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const ended = new Promise((resolve) => this.child.once('exit', resolve));
      this.child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.directory, { recursive: true, force: true });
  }
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000, query_timeout: 5_000 });
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
