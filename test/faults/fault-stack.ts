import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { parseEncryptionKeys } from '../../src/config/environment-values.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { closed, opened } from '../support/left-open.js';
import { SimulatorControl } from '../support/simulator-control.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { type AccountOptions, type AccountRows, insertAccount, uniquePhone } from '../support/test-account.js';
import { Hopeless, until } from '../support/until.js';
import type { TestAccount } from '../support/world.js';
import { FaultProcess } from './fault-process.js';

export const APP_SECRET = 'fault-app-secret';
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');
/** Short timeouts, so that what a fault left open settles within the test. */
const TIMING = { NETWORK_TIMEOUT_MS: '10000', LEASE_SECONDS: '5', UNKNOWN_OUTCOME_HORIZON: '10' };

// A test that times out does not stop its stack.
afterAll(() => FaultProcess.killAll());

/** Parses bigint as text, even if something in this process has configured pg to return numbers. */
const COUNTS_AS_TEXT: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: 'text') =>
    oid === pg.types.builtins.INT8 ? (value: string) => value : pg.types.getTypeParser(oid, format)) as never,
};

/** How long a control call of the simulator waits until Parley has accepted its callback, milliseconds. */
const ACCEPTANCE_TIMEOUT_MS = 60_000;
/** How long the server may take to connect, and for one statement, on a busy machine, milliseconds. */
const DATABASE_TIMEOUT_MS = 120_000;

/** A tenant with an approved template. */
export interface FaultAccount extends TestAccount {
  readonly template: string;
}

/** A campaign that was sent. */
export interface FaultCampaign {
  readonly id: string;
  readonly account: FaultAccount;
  readonly phones: readonly string[];
}

/** Runs Parley and the simulator as separate processes, with our proxy between Parley and PostgreSQL. */
export class FaultStack {
  private readonly processes: FaultProcess[] = [];
  private readonly sessions: ForeignSession[] = [];

  private constructor(
    private readonly directory: string,
    readonly databaseUrl: string,
    readonly proxy: TcpProxy,
    private readonly pool: pg.Pool,
    readonly simulator: SimulatorControl,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** @param env environment variables over the defaults */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<FaultStack> {
    const directory = await mkdtemp(path.join(tmpdir(), 'parley-faults-'));
    const databaseUrl = await freshDatabase();
    const proxy = await TcpProxy.start(databaseUrl);
    const simulator = await FaultProcess.simulator({
      port: 0,
      dataDir: directory,
      appId: '1',
      appSecret: APP_SECRET,
      acceptanceTimeoutMs: ACCEPTANCE_TIMEOUT_MS,
    });
    const pool = new pg.Pool({
      connectionString: databaseUrl,
      max: 4,
      application_name: 'test',
      types: COUNTS_AS_TEXT,
      connectionTimeoutMillis: DATABASE_TIMEOUT_MS,
      query_timeout: DATABASE_TIMEOUT_MS,
    });
    const stack = new FaultStack(directory, databaseUrl, proxy, pool, new SimulatorControl(simulator.url), {
      PORT: '0',
      DATABASE_URL: proxy.through(databaseUrl),
      MEDIA_STORE: `directory:${path.join(directory, 'media')}`,
      NETWORK_BASE_URL: simulator.url,
      NETWORK_APP_ID: '1',
      NETWORK_APP_SECRET: APP_SECRET,
      NETWORK_VERIFY_TOKEN: 'fault-verify-token',
      ENCRYPTION_KEY,
      EGRESS_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: 'warn',
      ...TIMING,
      ...env,
    });
    stack.processes.push(simulator.process);
    opened(stack, 'a FaultStack', () => stack.stop());
    return stack;
  }

  /** Starts one more Parley process. The network's callbacks go to the one given to {@link callBack}. */
  async service(env: Readonly<Record<string, string>> = {}): Promise<FaultService> {
    const { process, baseUrl } = await FaultProcess.service({ ...this.env, ...env });
    this.processes.unshift(process);
    return new FaultService(process, baseUrl);
  }

  /** Starts a process that the network calls back, by default with both roles. */
  async mainService(env: Readonly<Record<string, string>> = {}): Promise<FaultService> {
    const service = await this.service(env);
    await this.callBack(service);
    return service;
  }

  /** Directs the network's callbacks to a process or a load balancer. */
  async callBack({ baseUrl }: Reachable): Promise<void> {
    const response = await fetch(`${this.simulator.url}/_sim/callback-url`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${baseUrl}/network/callbacks` }),
    });
    if (!response.ok) throw new Error(await response.text());
  }

  /** Creates a tenant with an approved template; its client calls the given process or load balancer. */
  async account(service: Reachable, options: AccountOptions = {}): Promise<FaultAccount> {
    const account = await this.bareAccount(service, options);
    return { ...account, template: await this.template(account) };
  }

  /** Creates a tenant that has made no request yet. */
  async bareAccount({ baseUrl }: Reachable, options: AccountOptions = {}): Promise<TestAccount> {
    const secrets = new SecretBox(parseEncryptionKeys(ENCRYPTION_KEY));
    const client = await this.pool.connect();
    let rows: AccountRows;
    try {
      await client.query('BEGIN');
      rows = await insertAccount(options, secrets, (sql, parameters) => client.query(sql, parameters));
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    for (const { phoneNumberId, wabaId, display } of rows.phones) {
      await this.simulator.addPhone(phoneNumberId, wabaId, display);
    }
    return { ...rows, api: new ApiClient(baseUrl, rows.apiKey) };
  }

  /** Creates and sends a campaign to `recipients`: so many new phone numbers, or the given ones. */
  async campaign(
    account: FaultAccount,
    recipients: number | readonly string[],
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<FaultCampaign> {
    const phones = typeof recipients === 'number' ? Array.from({ length: recipients }, uniquePhone) : recipients;
    const created = await postUntil<{ campaign_id: string }>(account.api, 200, '/api/v1/campaigns/', {
      name: 'Parcels',
      template_name: account.template,
      contacts: phones.map((phone) => ({ phone })),
      ...more,
    });
    const id = created.campaign_id;
    await postUntil(account.api, 202, `/api/v1/campaigns/${id}/send`);
    return { id, account, phones };
  }

  /** Opens a database session that bypasses the proxy; the stack closes it. */
  async foreignSession(): Promise<ForeignSession> {
    const session = await ForeignSession.open(this.databaseUrl);
    this.sessions.push(session);
    return session;
  }

  /** Queries the database directly, bypassing the proxy. */
  async query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query(sql, parameters)).rows as Row[];
  }

  /** Ends all processes at once: a graceful shutdown would wait for the load balancers that it has not. */
  async stop(): Promise<void> {
    closed(this);
    for (const session of this.sessions) await session.close().catch(() => undefined);
    await Promise.all(this.processes.map((process) => process.kill()));
    await this.proxy.stop();
    await this.pool.end();
    await rm(this.directory, { recursive: true, force: true });
  }

  /** @param more fields besides the text */
  async template({ api }: TestAccount, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const name = `fault_${Math.random().toString(36).slice(2)}`;
    await this.simulator.behave({ review_delay_ms: 0 });
    const created = await postUntil<{ template_id: string }>(api, 201, '/api/v1/templates/create', {
      name,
      category: 'UTILITY',
      body: { text: 'Your parcel is on its way' },
      ...more,
    });
    await until('the template is approved', async () => {
      const { body } = await api.get<{ template: { status: string } }>(`/api/v1/templates/${created.template_id}`);
      return body.template?.status === 'APPROVED';
    });
    return name;
  }
}

/**
 * Repeats a POST until it has the expected status, so that a busy machine does not fail a test before its fault starts.
 * The idempotency key makes it happen once.
 */
async function postUntil<Body>(api: ApiClient, status: number, path: string, body?: unknown): Promise<Body> {
  const headers = { 'idempotency-key': Math.random().toString(36).slice(2) };
  return until(`${path} is answered ${status}`, async () => {
    const answer = await api.post<Body>(path, body, { headers });
    if (answer.status < 500 && answer.status !== status && answer.status !== 409) {
      throw new Hopeless(`${path} was answered ${answer.status} ${answer.text}`);
    }
    return answer.status === status && answer.body;
  });
}

/** Something that answers as Parley: a process, or the load balancer in front of several. */
export type Reachable = Pick<FaultService, 'baseUrl'>;

/** A Parley process and its base URL. */
export class FaultService {
  constructor(
    readonly process: FaultProcess,
    readonly baseUrl: string,
  ) {}
}
