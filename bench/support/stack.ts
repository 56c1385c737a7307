import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';
import { removePostgres, startPostgres } from '../../scripts/pg.mjs';
import { AccountDirectoryService } from '../../src/accounts/account-directory.service.js';
import { ApiKeysService } from '../../src/accounts/api-keys.service.js';
import { BusinessPhoneRegistryService } from '../../src/accounts/business-phone-registry.service.js';
import { WalletsService } from '../../src/accounts/wallets.service.js';
import { loadEnvironment, newEncryptionKey } from '../../src/config/environment.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { MANIFEST } from '../../src/rooms.js';
import type { ProcessTree } from './processor-time.js';
import { printStatements, STATEMENT_SETTINGS } from './statements.js';

/** A business phone of a bench account. */
export interface BenchPhone {
  readonly businessPhoneId: string;
  readonly phoneNumberId: string;
}

/** A tenant with its primary phone. */
export interface BenchAccount extends BenchPhone {
  readonly accountId: string;
  readonly organisationId: string | null;
  readonly ownerId: string;
  readonly apiKey: string;
  readonly wabaId: string;
}

export interface StackOptions {
  /** PostgreSQL settings. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Number of worker processes; with 0, the API process also does the workers' jobs. */
  readonly workers?: number;
  /** Options of Node for the processes of Parley. */
  readonly nodeOptions?: readonly string[];
}

/** `BENCH_STATEMENTS=1` prints the most expensive statements at the end. */
const PRINT_STATEMENTS = process.env['BENCH_STATEMENTS'] === '1';
export const APP_SECRET = 'bench-app-secret';
const DIST = fileURLToPath(new URL('../..', import.meta.url));

/** Runs PostgreSQL (with fsync, as in production), the simulator, Parley and optional workers as separate processes. */
export class Stack {
  private children: ChildProcess[] = [];
  private accounts = 0;
  private phones = 0;

  private constructor(
    private readonly directory: string,
    readonly databaseUrl: string,
    readonly simulatorUrl: string,
    readonly baseUrl: string,
    readonly service: ChildProcess,
    /** The processes to measure: the service, its workers, PostgreSQL and the simulator. */
    readonly processes: readonly ProcessTree[],
    private readonly encryptionKey: string,
    private readonly dataSource: DataSource,
  ) {}

  static async start(
    env: Record<string, string> = {},
    { settings = {}, workers = 0, nodeOptions = [] }: StackOptions = {},
  ): Promise<Stack> {
    const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
    const postgres = await startPostgres({
      dataDir: directory,
      settings: { ...(PRINT_STATEMENTS ? STATEMENT_SETTINGS : {}), ...settings },
    });
    await migrate(postgres.url, MANIFEST);
    const simulator = spawn(process.execPath, [join(DIST, 'simulator/main.js')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const options = { port: 0, dataDir: join(directory, 'simulator'), appId: '1', appSecret: APP_SECRET };
    simulator.stdin?.write(`${JSON.stringify(options)}\n`);
    const { url: simulatorUrl } = JSON.parse(await firstLine(simulator)) as { url: string };
    const encryptionKey = newEncryptionKey();
    const parley = (roles: string): ChildProcess =>
      spawnParley(
        {
          PARLEY_ROLES: roles,
          DATABASE_URL: postgres.url,
          NETWORK_BASE_URL: simulatorUrl,
          ENCRYPTION_KEY: encryptionKey,
          MEDIA_STORE: `directory:${join(directory, 'media')}`,
          ...env,
        },
        nodeOptions,
      );
    const service = parley(workers === 0 ? 'api,worker' : 'api');
    const workerProcesses = Array.from({ length: workers }, () => parley('worker'));
    const baseUrl = await line(service, /listens on (http:\S+)/);
    await Promise.all(workerProcesses.map((worker) => line(worker, /(processes its queues)/)));
    await post(`${simulatorUrl}/_sim/callback-url`, { url: `${baseUrl}/network/callbacks` });
    const dataSource = await createDataSource({
      url: postgres.url,
      poolSize: 8,
      entities: MANIFEST.entities,
    }).initialize();
    const processes = [
      { name: 'service', pid: service.pid ?? 0 },
      ...workerProcesses.map(({ pid }, index) => ({ name: `worker ${index + 1}`, pid: pid ?? 0 })),
      { name: 'postgres', pid: postgres.pid },
      { name: 'simulator', pid: simulator.pid ?? 0 },
    ];
    const stack = new Stack(
      directory,
      postgres.url,
      simulatorUrl,
      baseUrl,
      service,
      processes,
      encryptionKey,
      dataSource,
    );
    stack.children = [service, ...workerProcesses, simulator];
    return stack;
  }

  get unitOfWork(): UnitOfWork {
    return new UnitOfWork(this.dataSource);
  }

  /**
   * Creates a tenant with an effectively unlimited API key.
   *
   * @param throughput of its primary phone, messages per second; 0 = no limit
   */
  async account(throughput = 0): Promise<BenchAccount> {
    this.accounts += 1;
    const number = String(this.accounts).padStart(6, '0');
    const unitOfWork = this.unitOfWork;
    const directory = new AccountDirectoryService(unitOfWork);
    const { accountId, organisationId, userId: ownerId } = await directory.create({ name: `Bench ${number}` });
    const { key } = await new ApiKeysService(unitOfWork).issue({
      accountId,
      scopes: [...MANIFEST.scopes],
      rateLimit: 1_000_000,
    });
    await new WalletsService(unitOfWork).credit(accountId, 1_000_000);
    const tenant = { accountId, organisationId, ownerId, wabaId: `77${number}` };
    return { ...tenant, apiKey: key, ...(await this.addPhone(tenant, throughput, true)) };
  }

  /** Adds a phone to a tenant's business account. */
  phone(account: BenchAccount, throughput: number): Promise<BenchPhone> {
    return this.addPhone(account, throughput, false);
  }

  private async addPhone(
    { accountId, wabaId }: Pick<BenchAccount, 'accountId' | 'wabaId'>,
    throughput: number,
    primary: boolean,
  ): Promise<BenchPhone> {
    this.phones += 1;
    const number = String(this.phones).padStart(6, '0');
    const [phoneNumberId, phone] = [`55${number}`, `1555${number}`];
    const { encryptionKeys } = loadEnvironment(MANIFEST, {
      DATABASE_URL: this.databaseUrl,
      NETWORK_APP_ID: '1',
      NETWORK_APP_SECRET: APP_SECRET,
      NETWORK_VERIFY_TOKEN: 'bench',
      ENCRYPTION_KEY: this.encryptionKey,
    });
    const businessPhoneId = await new BusinessPhoneRegistryService(this.unitOfWork, new SecretBox(encryptionKeys)).add({
      accountId,
      wabaId,
      phoneNumberId,
      phone,
      token: 'bench',
      throughput,
      primary,
    });
    await this.simulate('phones', { phone_number_id: phoneNumberId, waba_id: wabaId, display_phone_number: phone });
    return { businessPhoneId, phoneNumberId };
  }

  /** Creates a body-only template and waits until it is approved. */
  async template(account: BenchAccount, name: string): Promise<void> {
    const headers = authorizationOf(account);
    const body = { name, category: 'UTILITY', body: { text: 'Your parcel is on its way' } };
    await post(`${this.baseUrl}/api/v1/templates/create`, body, headers);
    for (;;) {
      const answer = await fetch(`${this.baseUrl}/api/v1/templates/?status=APPROVED`, { headers });
      if (((await answer.json()) as { total: number }).total > 0) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  simulate(call: string, body: unknown): Promise<unknown> {
    return post(`${this.simulatorUrl}/_sim/${call}`, body);
  }

  /** Stops the service alone, as an operator does; returns how long that took, in milliseconds. */
  async stopService(): Promise<number> {
    this.children = this.children.filter((child) => child !== this.service);
    const from = performance.now();
    await stopped(this.service);
    return performance.now() - from;
  }

  async stop(): Promise<void> {
    if (PRINT_STATEMENTS) await printStatements(this.unitOfWork);
    await this.dataSource.destroy();
    for (const child of this.children) await stopped(child);
    await removePostgres({ dataDir: this.directory });
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function stopped(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

function spawnParley(env: Record<string, string>, nodeOptions: readonly string[]): ChildProcess {
  const extra = process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? [];
  const flags = ['--max-semi-space-size=32', '--max-old-space-size=1024', ...nodeOptions, ...extra];
  return spawn(process.execPath, [...flags, join(DIST, 'src/main.js')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      NETWORK_APP_ID: '1',
      NETWORK_APP_SECRET: APP_SECRET,
      NETWORK_VERIFY_TOKEN: 'bench',
      EGRESS_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'error',
      ...env,
    },
  });
}

export const authorizationOf = ({ apiKey }: BenchAccount): Record<string, string> => ({
  authorization: `Bearer ${apiKey}`,
});

export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

const firstLine = (child: ChildProcess): Promise<string> => line(child, /^(.*)$/);

function line(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) throw new Error('the child has no stdout');
    const lines = createInterface({ input: child.stdout });
    lines.on('line', (text) => {
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`the child exited with ${code}`)));
  });
}
