import { IsNull } from 'typeorm';
import { violatedUniqueConstraint } from '../../database/sql/constraint-violation.js';
import type { Tx } from '../../database/unit-of-work.js';
import { now } from '../../values/clock.js';
import { offsetOf, type Page, type Paged } from '../../values/page.js';
import { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import { urlTaken } from '../webhooks.errors.js';

// Plain records: the entity manager writes the SQL. No query here returns tombstones of deleted endpoints.

/** @throws DomainError `conflict` when the account already has an endpoint with this URL */
export async function insertEndpoint(accountId: string, endpoint: WebhookEndpoint, tx: Tx): Promise<void> {
  await withFreeUrl(endpoint.url, () => tx.manager.insert(WebhookEndpoint, { ...endpoint, accountId }));
}

export function countEndpoints(accountId: string, tx: Tx): Promise<number> {
  return tx.manager.countBy(WebhookEndpoint, { accountId, deletedAt: IsNull() });
}

export function findEndpoint(accountId: string, id: string, tx: Tx): Promise<WebhookEndpoint | null> {
  return tx.manager.findOneBy(WebhookEndpoint, { accountId, id, deletedAt: IsNull() });
}

/** The endpoint, locked against other changes. Its deliveries can still be created. */
export function lockEndpoint(accountId: string, id: string, tx: Tx): Promise<WebhookEndpoint | null> {
  return tx.manager.findOne(WebhookEndpoint, {
    where: { accountId, id, deletedAt: IsNull() },
    lock: { mode: 'for_no_key_update' },
  });
}

/** Newest first. */
export async function findEndpoints(accountId: string, page: Page, tx: Tx): Promise<Paged<WebhookEndpoint>> {
  const [rows, total] = await tx.manager.findAndCount(WebhookEndpoint, {
    where: { accountId, deletedAt: IsNull() },
    order: { createdAt: 'DESC', id: 'DESC' },
    skip: offsetOf(page),
    take: page.limit,
  });
  return { rows, total };
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
    { deletedAt: now(), secret: null, previousSecret: null, previousSecretUntil: null },
  );
  return affected === 1;
}
