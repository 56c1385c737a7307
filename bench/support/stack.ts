import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';
import { removePostgres, startPostgres } from '../../scripts/pg.mjs';
import { AccountDirectory } from '../../src/accounts/account-directory.service.js';
import { ApiKeys } from '../../src/accounts/api-keys.service.js';
import { BusinessPhoneRegistry } from '../../src/accounts/business-phone-registry.service.js';
import { Wallets } from '../../src/accounts/wallets.service.js';
import { ALL_SCOPES } from '../../src/auth/scopes.js';
import { loadEnvironment, newEncryptionKey } from '../../src/config/environment.js';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { SecretBox } from '../../src/database/secret-box.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { ENTITIES } from '../../src/entities.js';
import type { ProcessTree } from './processor-time.js';
import { printStatements, STATEMENT_SETTINGS } from './statements.js';

/** A tenant that a bench works with. */
export interface BenchAccount {
  readonly accountId: string;
  readonly apiKey: string;
  readonly businessPhoneId: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
}

/** `BENCH_STATEMENTS=1` prints at the end what PostgreSQL was busy with. */
const TELLS_STATEMENTS = process.env['BENCH_STATEMENTS'] === '1';
export const APP_SECRET = 'bench-app-secret';
const DIST = fileURLToPath(new URL('../..', import.meta.url));

/** PostgreSQL as in production (fsync on), the simulator and Parley, each in a process of its own. */
export class Stack {
  private children: ChildProcess[] = [];
  private accounts = 0;

  private constructor(
    private readonly directory: string,
    readonly databaseUrl: string,
    readonly simulatorUrl: string,
    readonly baseUrl: string,
    readonly service: ChildProcess,
    /** Whose processor time benches tell: the service, PostgreSQL and the simulator. */
    readonly processes: readonly ProcessTree[],
    private readonly encryptionKey: string,
    private readonly dataSource: DataSource,
  ) {}

  static async start(env: Record<string, string> = {}, settings: Record<string, string> = {}): Promise<Stack> {
    const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
    const postgres = await startPostgres({
      dataDir: directory,
      settings: { ...(TELLS_STATEMENTS ? STATEMENT_SETTINGS : {}), ...settings },
    });
    await migrate(postgres.url);
    const simulator = spawn(process.execPath, [join(DIST, 'src/simulator/main.js')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const options = { port: 0, dataDir: join(directory, 'simulator'), appId: '1', appSecret: APP_SECRET };
    simulator.stdin?.write(`${JSON.stringify(options)}\n`);
    const { url: simulatorUrl } = JSON.parse(await firstLine(simulator)) as { url: string };
    const encryptionKey = newEncryptionKey();
    const service = spawn(
      process.execPath,
      ['--max-semi-space-size=32', ...(process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? []), join(DIST, 'src/main.js')],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: {
          PATH: process.env['PATH'],
          PORT: '0',
          DATABASE_URL: postgres.url,
          NETWORK_BASE_URL: simulatorUrl,
          NETWORK_APP_ID: '1',
          NETWORK_APP_SECRET: APP_SECRET,
          NETWORK_VERIFY_TOKEN: 'bench',
          ENCRYPTION_KEY: encryptionKey,
          EGRESS_ALLOW: '127.0.0.0/8',
          LOG_LEVEL: 'error',
          ...env,
        },
      },
    );
    const baseUrl = await line(service, /listens on (http:\S+)/);
    await post(`${simulatorUrl}/_sim/callback-url`, { url: `${baseUrl}/network/callbacks` });
    const dataSource = await createDataSource({ url: postgres.url, poolSize: 8, entities: ENTITIES }).initialize();
    const processes = [
      { name: 'service', pid: service.pid ?? 0 },
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
    stack.children = [service, simulator];
    return stack;
  }

  get unitOfWork(): UnitOfWork {
    return new UnitOfWork(this.dataSource);
  }

  /** Makes a tenant whose key and phone know no limit. */
  async account(): Promise<BenchAccount> {
    this.accounts += 1;
    const number = String(this.accounts).padStart(6, '0');
    const unitOfWork = this.unitOfWork;
    const { encryptionKeys } = loadEnvironment({
      DATABASE_URL: this.databaseUrl,
      NETWORK_APP_ID: '1',
      NETWORK_APP_SECRET: APP_SECRET,
      NETWORK_VERIFY_TOKEN: 'bench',
      ENCRYPTION_KEY: this.encryptionKey,
    });
    const { accountId } = await new AccountDirectory(unitOfWork).create({ name: `Bench ${number}` });
    const { key } = await new ApiKeys(unitOfWork).issue({ accountId, scopes: [...ALL_SCOPES], rateLimit: 1_000_000 });
    await new Wallets(unitOfWork).credit(accountId, 1_000_000);
    const phone = { phoneNumberId: `55${number}`, wabaId: `77${number}`, phone: `1555${number}` };
    const businessPhoneId = await new BusinessPhoneRegistry(unitOfWork, new SecretBox(encryptionKeys)).add({
      accountId,
      wabaId: phone.wabaId,
      phoneNumberId: phone.phoneNumberId,
      phone: phone.phone,
      token: 'bench',
      throughput: 0,
      primary: true,
    });
    await this.simulate('phones', {
      phone_number_id: phone.phoneNumberId,
      waba_id: phone.wabaId,
      display_phone_number: phone.phone,
    });
    return { accountId, apiKey: key, businessPhoneId, phoneNumberId: phone.phoneNumberId, wabaId: phone.wabaId };
  }

  /** Makes an approved body-only template. */
  async template(account: BenchAccount, name: string): Promise<void> {
    const headers = { authorization: `Bearer ${account.apiKey}` };
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

  async stop(): Promise<void> {
    if (TELLS_STATEMENTS) await printStatements(this.unitOfWork);
    await this.dataSource.destroy();
    for (const child of this.children) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    }
    await removePostgres({ dataDir: this.directory });
    await rm(this.directory, { recursive: true, force: true });
  }
}

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
    child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)));
  });
}
