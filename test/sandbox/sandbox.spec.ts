import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { SandboxFile } from '../../sandbox/sandbox-file.js';
import { until } from '../support/until.js';
import { isRunning, killQuietly, Program, removeDataDirectory, temporaryDirectory } from './program.js';

/** One data directory and the programs started on it. */
class DataDirectory {
  readonly home = temporaryDirectory();
  readonly dataDir = path.join(this.home, '.parley');

  constructor() {
    // Like a typical checkout: other users may traverse it.
    chmodSync(this.home, 0o755);
  }

  start(env: Record<string, string> = {}): Program {
    return Program.script('start.mjs', { DATA_DIR: this.dataDir, PORT: '0', ...env });
  }

  async up(): Promise<{ program: Program; sandbox: SandboxFile; postgres: number }> {
    const program = this.start();
    await program.until('the sandbox to be up', () => program.stdout.includes('Ctrl-C stops it'));
    return { program, sandbox: this.sandbox, postgres: this.postgresPid };
  }

  get sandbox(): SandboxFile {
    return this.read<SandboxFile>('sandbox.json');
  }

  get postgresPid(): number {
    const { directory } = this.read<{ directory: string }>('postgres.json');
    const pidFile = path.resolve(this.dataDir, directory, 'data', 'postmaster.pid');
    return Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  }

  read<T>(name: string): T {
    return JSON.parse(readFileSync(path.join(this.dataDir, name), 'utf8')) as T;
  }

  has(name: string): boolean {
    return existsSync(path.join(this.dataDir, name));
  }

  async clear(): Promise<void> {
    await Program.killAll();
    removeDataDirectory(this.dataDir);
    rmSync(this.home, { recursive: true, force: true });
  }
}

const lines = (text: string) => text.split('\n').filter((line) => line !== '');
const listPhones = async ({ base_url, api_key }: SandboxFile) => {
  const answer = await fetch(`${base_url}/api/v1/business-phones/`, {
    headers: { authorization: `Bearer ${api_key}` },
  });
  const { business_phones } = (await answer.json()) as { business_phones: Record<string, unknown>[] };
  // The network reports their quality soon after a start.
  return { status: answer.status, phones: business_phones.map(({ quality, ...phone }) => phone) };
};

describe('a running sandbox', () => {
  let place: DataDirectory;
  let program: Program;
  let sandbox: SandboxFile;
  let postgres: number;

  beforeAll(async () => {
    place = new DataDirectory();
    ({ program, sandbox, postgres } = await place.up());
  });
  afterAll(() => place.clear());

  it('writes everything to sandbox.json, readable only by its user', () => {
    expect(sandbox).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      api_key: expect.stringMatching(/^pk_live_[A-Za-z0-9]{12}_[\w-]{43}$/),
      organisation_id: expect.any(String),
      account_id: expect.any(String),
      user_id: expect.any(String),
      business_phones: [1, 2].map(() => ({
        waba_phone_id: expect.any(String),
        phone_number_id: expect.stringMatching(/^\d+$/),
        waba_id: sandbox.business_phones[0]?.waba_id,
        phone: expect.stringMatching(/^\d{7,15}$/),
      })),
      console_link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/console\/welcome#[\w-]{43}$/),
      agents: [1, 2, 3].map(() => ({ user_id: expect.any(String), full_name: expect.any(String) })),
      simulator_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      database_url: expect.stringMatching(/^postgres:\/\//),
      network_app_secret: expect.any(String),
      network_verify_token: expect.any(String),
      pid: program.pid,
      simulator_pid: expect.any(Number),
    } satisfies Record<keyof SandboxFile, unknown>);
    for (const name of readdirSync(place.dataDir)) {
      expect({ name, open: statSync(path.join(place.dataDir, name)).mode & 0o077 }).toEqual({ name, open: 0 });
    }
  });

  it('prints a command that works as pasted', async () => {
    const [, url = '', key = ''] = /curl -sS (\S+) -H 'Authorization: Bearer (\S+)'/.exec(program.stdout) ?? [];
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    const { business_phones } = (await answer.json()) as { business_phones: { waba_phone_id: string }[] };
    const seeded = sandbox.business_phones.map(({ waba_phone_id }) => waba_phone_id);
    expect(business_phones.map(({ waba_phone_id }) => waba_phone_id).sort()).toEqual(seeded.sort());
  });

  it('serves its OpenAPI document and a page that shows it', async () => {
    const kinds = ['/openapi.json', '/docs', '/docs/swagger-ui.css'].map(async (path) => {
      const answer = await fetch(`${sandbox.base_url}${path}`);
      return [answer.status, answer.headers.get('content-type')?.split(';')[0]];
    });
    expect(await Promise.all(kinds)).toEqual([
      [200, 'application/json'],
      [200, 'text/html'],
      [200, 'text/css'],
    ]);
  });

  it('refuses a second start with one clear line, and keeps running', async () => {
    // The running one may write to its own folders meanwhile.
    const state = () =>
      readdirSync(place.dataDir).map((name) => {
        const found = statSync(path.join(place.dataDir, name));
        return [name, found.isFile() && found.mtimeMs];
      });
    const before = state();
    const second = place.start();
    expect(await second.exit).toBe(1);
    expect(lines(second.stdout + second.stderr)).toEqual([
      expect.stringContaining(`already running in ${place.dataDir} (process ${program.pid})`),
    ]);
    expect(state()).toEqual(before);
    expect((await fetch(`${sandbox.base_url}/health/ready`)).status).toBe(200);
  });

  it('restarts its simulator at the same address when it dies', async () => {
    const former = place.sandbox;
    process.kill(former.simulator_pid ?? 0, 'SIGKILL');
    const after = await program.until('another simulator', () => {
      const now = place.sandbox;
      return now.simulator_pid !== former.simulator_pid && now;
    });
    expect(after).toEqual({ ...former, simulator_pid: after.simulator_pid });
    expect((await fetch(`${after.simulator_url}/_sim/ledger`)).status).toBe(200);
  });

  it('restarts its PostgreSQL at the same address when it dies', async () => {
    process.kill(postgres, 'SIGKILL');
    await program.until('another server', () => program.stderr.includes('PostgreSQL exited and was restarted'));
    expect(place.postgresPid).not.toBe(postgres);
    await until('the service to be ready', async () => (await fetch(`${sandbox.base_url}/health/ready`)).ok);
    expect(place.sandbox.database_url).toBe(sandbox.database_url);
  });
});

describe('npm start', () => {
  let place: DataDirectory;

  beforeEach(() => {
    place = new DataDirectory();
  });
  afterEach(() => place.clear());

  it('continues with the same data, however the last run ended', async () => {
    const interrupted = place.start();
    await interrupted.until('PostgreSQL to be under way', () => place.has('postgres.json'));
    interrupted.kill('SIGINT');
    expect(await interrupted.exit).toBe(0);
    expect(place.has('sandbox.json')).toBe(false);
    expect(() => place.postgresPid).toThrow('ENOENT');

    const first = await place.up();
    const phones = await listPhones(first.sandbox);
    expect(phones.status).toBe(200);
    first.program.kill('SIGTERM');
    expect(await first.program.exit).toBe(0);
    expect([first.sandbox.simulator_pid ?? 0, first.postgres].filter(isRunning)).toEqual([]);
    expect(place.has('lock')).toBe(false);
    expect(first.program.stderr).toBe('');

    // Killed alone, it leaves PostgreSQL to be adopted, and its simulator exits.
    const second = await place.up();
    expect(await listPhones(second.sandbox)).toEqual(phones);
    second.program.kill('SIGKILL');
    await second.program.exit;
    const third = await place.up();
    expect(third.postgres).toBe(second.postgres);
    expect(isRunning(second.sandbox.simulator_pid ?? 0)).toBe(false);

    // Killed together with everything else.
    third.program.kill('SIGKILL');
    // It may have noticed.
    if (third.sandbox.simulator_pid !== null) killQuietly(third.sandbox.simulator_pid);
    process.kill(third.postgres, 'SIGKILL');
    await third.program.exit;
    const fourth = await place.up();
    expect(await listPhones(fourth.sandbox)).toEqual(phones);
    expect(fourth.sandbox.api_key).toBe(first.sandbox.api_key);
    fourth.program.kill('SIGHUP');
    expect(await fourth.program.exit).toBe(0);
  });

  it('exits with one clear line, and leaves nothing running, when its port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await until('the port is taken', () => taken.listening);
    const { port } = taken.address() as AddressInfo;
    const program = place.start({ PORT: String(port) });
    try {
      expect(await program.exit).toBe(1);
    } finally {
      taken.close();
    }
    expect(lines(program.stdout + program.stderr)).toEqual([expect.stringContaining(`port ${port} is already in use`)]);
    expect(readdirSync(place.dataDir)).toEqual(['secrets.json']);
  });

  it.each([
    ['PORT', 'eighty', /^configuration: PORT must be a whole number/],
    ['ENCRYPTION_KEY', 'short', /^configuration: ENCRYPTION_KEY must be 32 bytes/],
    ['ENCRYPTION_KEY_FILE', '/missing/key', /^configuration: ENCRYPTION_KEY_FILE names a file that cannot be read/],
    ['DATABASE_URL', 'mysql://localhost', /^configuration: DATABASE_URL must be a URL/],
    ['DATABASE_URL', 'postgres://127.0.0.1:1/nowhere', /no connection to 127\.0\.0\.1:1/],
  ])('exits with one clear line for %s=%s', async (name, value, complaint) => {
    const program = place.start({ [name]: value });
    expect(await program.exit).toBe(1);
    expect(lines(program.stdout + program.stderr)).toEqual([expect.stringMatching(complaint)]);
    if (place.has('simulator.json')) expect(isRunning(place.read<{ pid: number }>('simulator.json').pid)).toBe(false);
    expect(place.has('lock')).toBe(false);
  });
});
