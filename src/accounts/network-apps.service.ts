import { Inject, Injectable } from '@nestjs/common';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { ConfigurationCache, ConfigurationChanges } from '../database/configuration-changes.js';
import type { SecretPlace } from '../database/secrets/secret-box.js';
import { SecretBox, UnreadableSecret } from '../database/secrets/secret-box.js';
import { type Database, UnitOfWork } from '../database/unit-of-work.js';
import { appTaken, noSuchApp } from './account.errors.js';
import type { NetworkApp } from './network-app.entity.js';
import {
  deleteNetworkApp,
  findNetworkApp,
  findNetworkApps,
  insertNetworkApp,
  resealNetworkApp,
} from './network-app.queries.js';

/** An app at Meta with its secrets in plain text. Never log it. */
export interface AppKeys {
  /** What phones store as their app: null for the app in the environment. */
  readonly storedId: string | null;
  /** Meta's id of the app. */
  readonly appId: string;
  readonly appSecret: string;
  readonly verifyToken: string;
}

/** The settings of the app in the environment. */
export type DefaultApp = Pick<Environment['network'], 'appId' | 'appSecret' | 'verifyToken'>;

/** Where an app's secrets are stored. An app belongs to no account. */
const placeOf = (appId: string, column: 'app_secret' | 'verify_token'): SecretPlace => ({
  accountId: 'all',
  rowId: appId,
  column: `network_apps.${column}`,
});

/** The apps at Meta: the one in the environment, and those that the operator has added. */
@Injectable()
export class NetworkAppsService {
  private readonly known: ConfigurationCache<AppKeys | null>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
    @Inject(ENVIRONMENT) private readonly environment: { readonly network: DefaultApp },
    changes: ConfigurationChanges,
  ) {
    this.known = new ConfigurationCache(changes);
  }

  /** The app of the environment. */
  get default(): AppKeys {
    const { appId, appSecret, verifyToken } = this.environment.network;
    return { storedId: null, appId, appSecret, verifyToken };
  }

  /** An app by Meta's id, or the one in the environment for null; null if there is no such app. */
  async find(appId: string | null): Promise<AppKeys | null> {
    if (appId === null || appId === this.default.appId) return this.default;
    return this.known.getUnless(
      appId,
      () => this.load(appId),
      (app) => app === null,
    );
  }

  /** @throws DomainError `bad_request` for an unknown app */
  async require(appId: string | null): Promise<AppKeys> {
    const app = await this.find(appId);
    if (app === null) throw noSuchApp(String(appId));
    return app;
  }

  /** The apps that were added, oldest first, without their secrets. */
  async list(): Promise<Pick<NetworkApp, 'appId' | 'createdAt'>[]> {
    return (await findNetworkApps(this.unitOfWork.autocommit)).map(({ appId, createdAt }) => ({ appId, createdAt }));
  }

  /** @throws DomainError `conflict` when there is one with this id */
  async add({ appId, appSecret, verifyToken }: Omit<AppKeys, 'storedId'>): Promise<void> {
    if (appId === this.default.appId) throw appTaken(appId);
    const sealed = {
      appId,
      appSecret: this.secrets.seal(appSecret, placeOf(appId, 'app_secret')),
      verifyToken: this.secrets.seal(verifyToken, placeOf(appId, 'verify_token')),
    };
    await insertNetworkApp(sealed, this.unitOfWork.autocommit);
  }

  /** @throws DomainError `bad_request` for an unknown app, `conflict` while phones are connected with it */
  async remove(appId: string): Promise<void> {
    if (!(await this.unitOfWork.transaction((tx) => deleteNetworkApp(appId, tx)))) throw noSuchApp(appId);
  }

  private async load(appId: string): Promise<AppKeys | null> {
    const app = await findNetworkApp(appId, this.unitOfWork.control);
    if (app === null) return null;
    return {
      storedId: appId,
      appId,
      appSecret: this.secrets.open(app.appSecret, placeOf(appId, 'app_secret')),
      verifyToken: this.secrets.open(app.verifyToken, placeOf(appId, 'verify_token')),
    };
  }
}

/**
 * Encrypts the secrets of all apps with the current key.
 *
 * @returns how many apps changed, and an error for each that cannot be decrypted
 */
export async function resealNetworkApps(
  secrets: SecretBox,
  db: Database,
): Promise<{ readonly resealed: number; readonly unreadable: readonly UnreadableSecret[] }> {
  const unreadable: UnreadableSecret[] = [];
  let resealed = 0;
  for (const app of await findNetworkApps(db)) {
    if (app.appSecret.startsWith(secrets.prefix) && app.verifyToken.startsWith(secrets.prefix)) continue;
    try {
      const fresh = {
        appSecret: secrets.reseal(app.appSecret, placeOf(app.appId, 'app_secret')),
        verifyToken: secrets.reseal(app.verifyToken, placeOf(app.appId, 'verify_token')),
      };
      resealed += await resealNetworkApp(app, fresh, db);
    } catch (error) {
      if (!(error instanceof UnreadableSecret)) throw error;
      unreadable.push(error);
    }
  }
  return { resealed, unreadable };
}
