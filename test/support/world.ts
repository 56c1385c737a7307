import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Simulator } from '../../simulator/simulator.js';
import { createParley, type Parley } from '../../src/bootstrap.js';
import { type Environment, loadEnvironment } from '../../src/config/environment.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { UnitOfWork } from '../../src/database/unit-of-work.js';
import { Manifest } from '../../src/manifest/manifest.js';
import type { RoomClass } from '../../src/manifest/room.js';
import { MANIFEST } from '../../src/rooms.js';
import { ApiClient } from './api-client.js';
import { workerDatabase } from './database.js';
import { closed, opened } from './left-open.js';
import { mediaStoreOf } from './media-directory.js';
import { SimulatorControl } from './simulator-control.js';
import { type AccountOptions, type AccountRows, insertAccount } from './test-account.js';

export { type AccountOptions, type TestPhone, uniqueDigits, uniquePhone } from './test-account.js';

export interface WorldOptions {
  /** Environment variables that override the defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Defaults to this jest worker's shared database. */
  readonly databaseUrl?: string;
  /** The simulator's data directory. Defaults to a temporary one. */
  readonly networkDirectory?: string;
  /** Rooms besides those of the core. */
  readonly rooms?: readonly RoomClass[];
  /** How long {@link SimulatorControl} waits until Parley has accepted a callback; 0 returns the first answer. */
  readonly acceptanceTimeoutMs?: number;
}

/** A tenant created for one test, with a client for its API key. */
export interface TestAccount extends AccountRows {
  readonly api: ApiClient;
}

const APP_SECRET = 'test-app-secret';
const ACCEPTANCE_TIMEOUT_MS = 60_000;

/** Runs Parley against a simulator, over real HTTP, and a real database. */
export class World {
  private constructor(
    readonly parley: Parley,
    readonly baseUrl: string,
    readonly simulator: SimulatorControl,
    readonly environment: Environment,
    /** Ends its parts, the last one first. */
    private readonly ends: readonly (() => Promise<unknown>)[],
  ) {}

  static async start({
    env = {},
    databaseUrl,
    networkDirectory,
    rooms = [],
    acceptanceTimeoutMs = ACCEPTANCE_TIMEOUT_MS,
  }: WorldOptions = {}): Promise<World> {
    const directory = await mkdtemp(join(tmpdir(), 'parley-world-'));
    const ends: (() => Promise<unknown>)[] = [() => rm(directory, { recursive: true, force: true })];
    try {
      const network = await Simulator.start({
        port: 0,
        dataDir: networkDirectory ?? directory,
        appId: '1',
        appSecret: APP_SECRET,
        verifyToken: 'test-verify-token',
        acceptanceTimeoutMs,
      });
      ends.unshift(() => network.stop());
      const database = databaseUrl ?? (await workerDatabase());
      const environment = loadEnvironment(MANIFEST, {
        PORT: '0',
        DATABASE_URL: database,
        MEDIA_STORE: mediaStoreOf(database),
        NETWORK_BASE_URL: network.url,
        NETWORK_APP_ID: '1',
        NETWORK_APP_SECRET: APP_SECRET,
        NETWORK_VERIFY_TOKEN: 'test-verify-token',
        ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
        EGRESS_ALLOW: '127.0.0.0/8',
        SHUTDOWN_GRACE_MS: '0',
        LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'fatal',
        ...env,
      });
      // A variable without a value would mean its default, which is the real network.
      if (environment.network.baseUrl.includes('facebook.com')) throw new Error('tests never call the real network');
      const parley = await createParley(
        environment,
        rooms.length === 0 ? MANIFEST : new Manifest([...MANIFEST.rooms, ...rooms]),
      );
      ends.unshift(() => parley.close());
      const baseUrl = await parley.listen();
      if (baseUrl !== '') network.setCallbackUrl(`${baseUrl}/network/callbacks`);
      const world = new World(parley, baseUrl, new SimulatorControl(network.url), environment, ends);
      await world.forgetFailedAuthentications();
      opened(world, 'a World', () => world.stop());
      return world;
    } catch (error) {
      for (const end of ends) await end();
      throw error;
    }
  }

  /** Test files share a database, and thus the limit on failed authentications from 127.0.0.1. */
  private async forgetFailedAuthentications(): Promise<void> {
    await this.unitOfWork.autocommit.affected("DELETE FROM rate_limit_windows WHERE subject LIKE 'address:%'");
  }

  /**
   * Starts a process with the role `worker` beside this one, with the same database and network. Its sweeps run when it
   * starts. The caller stops it.
   */
  worker(): Promise<World> {
    const { databaseUrl, network } = this.environment;
    return World.start({ databaseUrl, env: { PARLEY_ROLES: 'worker', NETWORK_BASE_URL: network.baseUrl } });
  }

  async stop(): Promise<void> {
    closed(this);
    for (const end of this.ends) await end();
  }

  get unitOfWork(): UnitOfWork {
    return this.parley.app.get(UnitOfWork);
  }

  /** Creates a tenant and registers its phones with the simulator. */
  async account(options: AccountOptions = {}): Promise<TestAccount> {
    const secrets = this.parley.app.get(SecretBox);
    const rows = await this.unitOfWork.transaction((tx) =>
      insertAccount(options, secrets, (sql, parameters) => tx.affected(sql, parameters)),
    );
    for (const { phoneNumberId, wabaId, display } of rows.phones) {
      await this.simulator.addPhone(phoneNumberId, wabaId, display);
    }
    return { ...rows, api: new ApiClient(this.baseUrl, rows.apiKey) };
  }
}
