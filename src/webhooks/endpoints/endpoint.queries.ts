import { IsNull } from 'typeorm';
import { violatedUniqueConstraint } from '../../database/sql/constraint-violation.js';
import { NEWEST_FIRST } from '../../database/sql/list-order.js';
import { cutRows, type Positioned } from '../../database/sql/page-sql.js';
import type { Database, Tx } from '../../database/unit-of-work.js';
import { now } from '../../values/clock.js';
import type { Page, Paged } from '../../values/page.js';
import { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import { urlTaken } from '../webhooks.errors.js';

import { NO_REPLACED_SECRETS } from './endpoint-secrets.js';

// Plain records: the entity manager writes the SQL. No query here returns tombstones of deleted endpoints.

/** @throws DomainError `conflict` when the account already has an endpoint with this URL */
export async function insertEndpoint(accountId: string, endpoint: WebhookEndpoint, tx: Tx): Promise<void> {
  await withFreeUrl(endpoint.url, () => tx.manager.insert(WebhookEndpoint, { ...endpoint, accountId }));
}

export function countEndpoints(accountId: string, db: Database): Promise<number> {
  return db.manager.countBy(WebhookEndpoint, { accountId, deletedAt: IsNull() });
}

export function findEndpoint(accountId: string, id: string, db: Database): Promise<WebhookEndpoint | null> {
  return db.manager.findOneBy(WebhookEndpoint, { accountId, id, deletedAt: IsNull() });
}

/** Finds an endpoint's account by probing each account: operators name an endpoint by its id alone. */
export async function findAccountOfEndpoint(id: string, db: Database): Promise<string | null> {
  const row = await db.row<{ accountId: string }>(
    `SELECT a.id AS account_id FROM accounts a
     WHERE EXISTS (SELECT FROM webhook_endpoints e WHERE e.account_id = a.id AND e.id = $1)`,
    [id],
  );
  return row?.accountId ?? null;
}

/** The endpoint, locked against other changes. Its deliveries can still be created. */
export function lockEndpoint(accountId: string, id: string, tx: Tx): Promise<WebhookEndpoint | null> {
  return tx.manager.findOne(WebhookEndpoint, {
    where: { accountId, id, deletedAt: IsNull() },
    lock: { mode: 'for_no_key_update' },
  });
}

/** Newest first. */
export async function findEndpoints(accountId: string, page: Page, db: Database): Promise<Paged<WebhookEndpoint>> {
  const rows = await db.rows<Positioned<WebhookEndpoint>>(
    `SELECT w.*, ${NEWEST_FIRST.position()} FROM webhook_endpoints w
     WHERE account_id = $1 AND deleted_at IS NULL ${NEWEST_FIRST.pageOf(page, '$2', '$3')}`,
    [accountId, ...NEWEST_FIRST.parameters(page)],
  );
  return { ...cutRows(rows, page), total: await countEndpoints(accountId, db) };
}

/** @throws DomainError `conflict` when another endpoint of the account has the new URL */
export async function updateEndpoint(
  accountId: string,
  id: string,
  changes: Partial<WebhookEndpoint>,
  tx: Tx,
): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await withFreeUrl(changes.url, () => tx.manager.update(WebhookEndpoint, { accountId, id }, changes));
}

async function withFreeUrl(url: string | undefined, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (url !== undefined && violatedUniqueConstraint(error) === 'webhook_endpoints_url_key') throw urlTaken(url);
    throw error;
  }
}

/** Marks the endpoint as deleted, which ends deliveries, and erases its secrets. A sweep removes the rest. */
export async function deleteEndpoint(accountId: string, id: string, tx: Tx): Promise<boolean> {
  const { affected } = await tx.manager.update(
    WebhookEndpoint,
    { accountId, id, deletedAt: IsNull() },
    { deletedAt: now(), secret: null, ...NO_REPLACED_SECRETS, headers: null, headerNames: [] },
  );
  return affected === 1;
}
