import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueKey } from '../../src/accounts/api-key.js';
import { tokenPlace } from '../../src/accounts/business-phones.service.js';
import { ALL_SCOPES } from '../../src/auth/scopes.js';
import { createParley, type Parley } from '../../src/bootstrap.js';
import { type Environment, loadEnvironment } from '../../src/config/environment.js';
import { SecretBox } from '../../src/database/secret-box.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { Simulator } from '../../src/simulator/simulator.js';
import { newRecordId } from '../../src/values/record-id.js';
import { ApiClient } from './api-client.js';
import { workerDatabase } from './database.js';
import { SimulatorControl } from './simulator-control.js';

/** How a world differs from the usual one. */
export interface WorldOptions {
  /** Environment variables over the defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: this jest worker's shared database. */
  readonly databaseUrl?: string;
}

/** How an account differs from the usual one: an organisation, an owner, one business phone, credits, a key. */
export interface AccountOptions {
  readonly organisation?: boolean;
  readonly scopes?: readonly string[];
  /** Requests per minute; tests of other things should not meet the limit. */
  readonly rateLimit?: number;
  readonly phones?: number;
  readonly throughput?: number;
  readonly credits?: number;
}

/** A business phone of a test account. */
export interface TestPhone {
  readonly id: string;
  readonly phoneNumberId: string;
  readonly wabaId: string;
}

/** A tenant made for one test. */
export interface TestAccount {
  readonly accountId: string;
  readonly organisationId: string | null;
  readonly ownerId: string;
  readonly apiKey: string;
  readonly phones: readonly TestPhone[];
  /** The first of {@link phones}. */
  readonly phone: TestPhone;
  readonly api: ApiClient;
}

let numbers = Math.floor(Math.random() * 1e6) * 1000;
/** Digits that nothing else in this process uses. */
export const uniqueDigits = (): string => {
  numbers += 1;
  return `${process.env.JEST_WORKER_ID ?? 1}${String(numbers).padStart(9, '0')}`;
};
/** A phone number that is valid and belongs to nobody else in this process. */
export const uniquePhone = (): string => `4915${String(uniqueDigits()).slice(-9)}`;

const APP_SECRET = 'test-app-secret';

/** Parley, a simulator and a database of its own, all over real HTTP. */
export class World {
  private constructor(
    readonly parley: Parley,
    readonly baseUrl: string,
    readonly simulator: SimulatorControl,
    readonly environment: Environment,
    private readonly double: Simulator,
    private readonly directory: string,
  ) {}

  static async start({ env = {}, databaseUrl }: WorldOptions = {}): Promise<World> {
    const directory = await mkdtemp(join(tmpdir(), 'parley-world-'));
    const double = await Simulator.start({
      port: 0,
      dataDir: directory,
      appId: '1',
      appSecret: APP_SECRET,
      verifyToken: 'test-verify-token',
    });
    const environment = loadEnvironment({
      PORT: '0',
      DATABASE_URL: databaseUrl ?? (await workerDatabase()),
      DATABASE_POOL: '10',
      NETWORK_BASE_URL: double.url,
      NETWORK_APP_ID: '1',
      NETWORK_APP_SECRET: APP_SECRET,
      NETWORK_VERIFY_TOKEN: 'test-verify-token',
      ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
      EGRESS_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
      ...env,
    });
    const parley = await createParley(environment);
    const baseUrl = await parley.listen();
    double.setCallbackUrl(`${baseUrl}/network/callbacks`);
    return new World(parley, baseUrl, new SimulatorControl(double.url), environment, double, directory);
  }

  async stop(): Promise<void> {
    await this.parley.close();
    await this.double.stop();
    await rm(this.directory, { recursive: true, force: true });
  }

  get unitOfWork(): UnitOfWork {
    return this.parley.app.get(UnitOfWork);
  }

  /** Makes a tenant with phones that the simulator knows. */
  async account(options: AccountOptions = {}): Promise<TestAccount> {
    const { organisation = true, scopes = ALL_SCOPES, rateLimit = 1_000_000, phones = 1 } = options;
    const accountId = newRecordId();
    const ownerId = newRecordId();
    const organisationId = organisation ? newRecordId() : null;
    const issued = issueKey();
    const wabaId = `77${uniqueDigits()}`;
    const made = Array.from({ length: phones }, () => ({
      id: newRecordId(),
      phoneNumberId: `55${uniqueDigits()}`,
      wabaId,
      display: `1555${uniqueDigits().slice(-7)}`,
    }));
    const secrets = this.parley.app.get(SecretBox);
    await this.unitOfWork.transaction(async (tx) => {
      if (organisationId !== null) {
        await tx.affected('INSERT INTO organisations (id, name) VALUES ($1, $2)', [
          organisationId,
          'Test organisation',
        ]);
      }
      await tx.affected(
        `INSERT INTO users (id, organisation_id, full_name, email, role) VALUES ($1, $2, 'Olive Owner', $3, 'owner')`,
        [ownerId, organisationId, `owner-${ownerId}@example.test`],
      );
      await tx.affected('INSERT INTO accounts (id, organisation_id, owner_id, name) VALUES ($1, $2, $3, $4)', [
        accountId,
        organisationId,
        ownerId,
        'Test account',
      ]);
      await tx.affected('INSERT INTO wallets (account_id, balance) VALUES ($1, $2)', [
        accountId,
        options.credits ?? 1_000_000,
      ]);
      await tx.affected(
        `INSERT INTO api_keys (account_id, id, name, prefix, secret_hash, scopes, rate_limit, idempotency_family)
         VALUES ($1, $2, 'test', $3, $4, $5, $6, $2)`,
        [accountId, newRecordId(), issued.prefix, issued.secretHash, scopes, rateLimit],
      );
      await tx.affected('INSERT INTO business_accounts (account_id, waba_id) VALUES ($1, $2)', [accountId, wabaId]);
      for (const [index, { id, phoneNumberId, display }] of made.entries()) {
        await tx.affected(
          `INSERT INTO business_phones (account_id, id, waba_id, phone_number_id, phone, throughput, is_primary, access_token)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [
            accountId,
            id,
            wabaId,
            phoneNumberId,
            display,
            options.throughput ?? 0,
            index === 0,
            secrets.seal('test-token', tokenPlace(accountId, id)),
          ],
        );
      }
    });
    for (const { phoneNumberId, display } of made) await this.simulator.addPhone(phoneNumberId, wabaId, display);
    const [phone] = made;
    if (phone === undefined) throw new Error('a test account has at least one phone');
    const api = new ApiClient(this.baseUrl, issued.key);
    return { accountId, organisationId, ownerId, apiKey: issued.key, phones: made, phone, api };
  }
}
