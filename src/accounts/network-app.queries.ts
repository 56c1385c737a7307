import { violatedForeignKey, violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import type { Database, Tx } from '../database/unit-of-work.js';
import { appInUse, appTaken } from './account.errors.js';
import { NetworkApp } from './network-app.entity.js';

/** Apps belong to the operator: no account is named here. Their secrets are encrypted. */
export const findNetworkApp = (appId: string, db: Database): Promise<NetworkApp | null> =>
  db.manager.findOneBy(NetworkApp, { appId });

/** Every app but the one in the environment, oldest first. */
export const findNetworkApps = (db: Database): Promise<NetworkApp[]> =>
  db.manager.find(NetworkApp, { order: { createdAt: 'ASC', appId: 'ASC' } });

/** @throws DomainError `conflict` when there is one with this id */
export async function insertNetworkApp(app: Omit<NetworkApp, 'createdAt'>, db: Database): Promise<void> {
  try {
    await db.manager.insert(NetworkApp, app);
  } catch (error) {
    throw violatedUniqueConstraint(error) === 'network_apps_pkey' ? appTaken(app.appId) : error;
  }
}

/**
 * @returns whether there was such an app
 * @throws DomainError `conflict` while a phone is connected with it
 */
export async function deleteNetworkApp(appId: string, tx: Tx): Promise<boolean> {
  try {
    return (await tx.manager.delete(NetworkApp, { appId })).affected === 1;
  } catch (error) {
    throw violatedForeignKey(error) === 'business_phones_app_fkey' ? appInUse(appId) : error;
  }
}

/** Replaces the encrypted secrets of an app, unless another process has changed them meanwhile. */
export async function resealNetworkApp(
  { appId, appSecret, verifyToken }: NetworkApp,
  fresh: Pick<NetworkApp, 'appSecret' | 'verifyToken'>,
  db: Database,
): Promise<number> {
  const { affected } = await db.manager.update(NetworkApp, { appId, appSecret, verifyToken }, fresh);
  return affected ?? 0;
}
