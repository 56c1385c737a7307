import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import type { World } from '../support/world.js';

/** A database for {@link letHang}: endpoints may take longer than the API lets a customer choose. */
export async function databaseOfLongTimeouts(): Promise<string> {
  const databaseUrl = await freshDatabase();
  const session = await ForeignSession.open(databaseUrl);
  try {
    await session.query('ALTER TABLE webhook_endpoints DROP CONSTRAINT webhook_endpoints_timeout_check');
  } finally {
    await session.close();
  }
  return databaseUrl;
}

/** Gives the endpoints of these accounts an hour to answer, which is longer than any test on any machine. */
export async function letHang(world: World, accounts: readonly { readonly accountId: string }[]): Promise<void> {
  await world.unitOfWork.autocommit.affected(
    'UPDATE webhook_endpoints SET timeout = 3600 WHERE account_id = ANY ($1::uuid[])',
    [accounts.map(({ accountId }) => accountId)],
  );
}
