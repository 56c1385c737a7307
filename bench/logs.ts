import 'reflect-metadata';
import { type AuditFilter, findAuditEntries } from '../src/audit/audit-entry.queries.js';
import { type Database, type Tx } from '../src/database/unit-of-work.js';
import { ANY_MESSAGE, listMessages, type MessageFilter } from '../src/messages/history/message-history.queries.js';
import { DAY } from '../src/values/clock.js';
import { MAX_TOTAL, type Page } from '../src/values/page.js';
import { newRecordId } from '../src/values/record-id.js';
import { type DeliveryFilter, findDeliveries } from '../src/webhooks/log/delivery-log.queries.js';
import { type Cost, measureReads, showGrowth } from './support/first-pages.js';

// The first page of each log with each filter, on logs of one account with few and with many rows. It should cost at
// most twice as much with many. Filters include those that nothing or only the oldest rows match.

const SIZES = (process.env['BENCH_SIZES'] ?? '10000,1000000').split(',').map(Number);
/**
 * Growth that does not count, in blocks: the small log has fewer rows that match than are counted, and counting may touch
 * one block for each; and indexes have more levels, in each partition.
 */
const SMALL = MAX_TOTAL + 500;
const DAYS = 30;
const CHUNK = 250_000;
const MESSAGES_PER_CONTACT = 100;
const FIRST: Page = { page: 1, limit: 20 };

/** The ids that reads need. */
interface Filled {
  readonly accountId: string;
  readonly endpointId: string;
  readonly campaignId: string;
  readonly contactPhone: string;
  readonly subjectId: string;
}

type Reads = ReadonlyMap<string, (filled: Filled, db: Database) => Promise<unknown>>;

const ago = (days: number): Date => new Date(Date.now() - days * DAY);

function readsOfAll(): Reads {
  const deliveries =
    (filter: DeliveryFilter, page = FIRST) =>
    (filled: Filled, tx: Tx) =>
      findDeliveries(filled.accountId, filled.endpointId, filter, page, tx);
  const messages =
    (filter: Partial<MessageFilter> | ((filled: Filled) => Partial<MessageFilter>), page = FIRST) =>
    (filled: Filled, tx: Tx) =>
      listMessages(
        filled.accountId,
        { ...ANY_MESSAGE, ...(typeof filter === 'function' ? filter(filled) : filter) },
        page,
        tx,
      );
  const audit =
    (filter: (filled: Filled) => AuditFilter, page = FIRST) =>
    (filled: Filled, tx: Tx) =>
      findAuditEntries(filled.accountId, filter(filled), page, tx);
  const walk: Page = { page: 1, limit: 20, cursor: { after: null } };
  return new Map<string, (filled: Filled, tx: Tx) => Promise<unknown>>([
    ['deliveries', deliveries({})],
    ['deliveries, cursor', deliveries({}, walk)],
    ['deliveries, status=delivered', deliveries({ status: 'delivered' })],
    ['deliveries, status=failed (2%)', deliveries({ status: 'failed' })],
    ['deliveries, status=pending (the 20 oldest)', deliveries({ status: 'pending' })],
    ['deliveries, event=message.sent', deliveries({ kind: 'message.sent' })],
    ['deliveries, event=button.clicked (the 20 oldest)', deliveries({ kind: 'button.clicked' })],
    ['deliveries, event=webhook.test (none)', deliveries({ kind: 'webhook.test' })],
    ['deliveries, status=failed, event=webhook.test', deliveries({ status: 'failed', kind: 'webhook.test' })],
    ['deliveries, since', deliveries({ since: ago(10) })],
    ['deliveries, until', deliveries({ until: ago(10) })],
    ['messages', messages({})],
    ['messages, cursor', messages({}, walk)],
    ['messages, direction=out', messages({ direction: 'out' })],
    ['messages, direction=in (5%)', messages({ direction: 'in' })],
    ['messages, status=read', messages({ status: 'read' })],
    ['messages, status=delivered', messages({ status: 'delivered' })],
    ['messages, status=sent', messages({ status: 'sent' })],
    ['messages, status=accepted', messages({ status: 'accepted' })],
    ['messages, status=clicked (1%)', messages({ status: 'clicked' })],
    ['messages, status=failed (2%)', messages({ status: 'failed' })],
    ['messages, status=pending (the 20 oldest)', messages({ status: 'pending' })],
    ['messages, status=pending (the 20 oldest), cursor', messages({ status: 'pending' }, walk)],
    ['messages, status=received', messages({ status: 'received' })],
    ['messages, template_name', messages({ templateName: 'bench' })],
    ['messages, template_name (the 20 oldest)', messages({ templateName: 'rare' })],
    ['messages, template_name (none)', messages({ templateName: 'none' })],
    ['messages, campaign_id', messages(({ campaignId }) => ({ campaignId }))],
    ['messages, contact_phone', messages(({ contactPhone }) => ({ contactPhone }))],
    ['messages, since', messages({ since: ago(10) })],
    ['messages, until', messages({ until: ago(10) })],
    ['audit', audit(() => ({}))],
    ['audit, cursor', audit(() => ({}), walk)],
    ['audit, action=webhook.created', audit(() => ({ action: 'webhook.created' }))],
    ['audit, action=contact.erased (the 20 oldest)', audit(() => ({ action: 'contact.erased' }))],
    ['audit, action=agent.created (none)', audit(() => ({ action: 'agent.created' }))],
    ['audit, subject_id', audit(({ subjectId }) => ({ subjectId }))],
    ['audit, since', audit(() => ({ since: ago(10) }))],
    ['audit, until', audit(() => ({ until: ago(10) }))],
  ]);
}

/** Fills each log of one account with `rows`, evenly over {@link DAYS}. */
async function fill(rows: number, db: Database): Promise<Filled> {
  const [accountId, endpointId, userId, phoneId, campaignId, subjectId] = Array.from({ length: 6 }, () =>
    newRecordId(),
  );
  const contactPhone = '4915200000000';
  await db.rows(
    `CREATE FUNCTION id_at(at timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS $$
       SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid()) PLACING
         substring(int8send(floor(extract(epoch FROM at) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid $$`,
  );
  await db.rows(
    `INSERT INTO users (id, full_name, email, role) VALUES ($1, 'Olive Owner', 'olive@example.test', 'owner')`,
    [userId],
  );
  await db.rows(`INSERT INTO accounts (id, owner_id, name) VALUES ($1, $2, 'Logs')`, [accountId, userId]);
  await db.rows(
    `INSERT INTO contacts (account_id, id, phone_number, first_name, source)
     SELECT $1, id_at(now() - $2::int * interval '1 day' - i * interval '1 second'), (4915200000000 + i)::text, 'Ada', 'api'
     FROM generate_series(0, $3::int - 1) i`,
    [accountId, DAYS, rows / MESSAGES_PER_CONTACT],
  );
  await db.rows(
    'CREATE TEMPORARY TABLE person AS SELECT row_number() OVER (ORDER BY phone_number) - 1 AS place, id FROM contacts',
  );
  for (let from = 0; from < rows; from += CHUNK) {
    const until = Math.min(rows, from + CHUNK);
    const moments = `(SELECT i, now() - (1 - i::float8 / $1::int) * ${DAYS} * interval '1 day' AS at
       FROM generate_series($2::int, $3::int - 1) i) m`;
    await db.rows(
      `INSERT INTO webhook_deliveries (account_id, id, endpoint_id, event_id, kind, status, retries_left, next_attempt_at, created_at)
       SELECT $4, id_at(at), $5, id_at(at),
              CASE WHEN i < 20 THEN 'button.clicked' ELSE (ARRAY['message.sent', 'message.delivered', 'message.read'])[1 + i % 3] END,
              s.status, 0, CASE WHEN s.status = 'pending' THEN at END, at
       FROM ${moments},
       LATERAL (SELECT CASE WHEN i < 20 THEN 'pending' WHEN i % 50 = 0 THEN 'failed' ELSE 'delivered' END AS status) s`,
      [rows, from, until, accountId, endpointId],
    );
    await db.rows(
      `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, campaign_id, message_type, content,
                             template_name, status, created_at, accepted_at, sent_at, delivered_at, read_at, clicked_at, failed_at)
       SELECT $4, id_at(at), CASE WHEN s.status = 'received' THEN 'in' ELSE 'out' END, p.id, $5,
              CASE WHEN i % 2 = 0 AND s.status <> 'received' THEN $6::uuid END, 'template', 'Your parcel is on its way',
              CASE WHEN s.status <> 'received' THEN CASE WHEN i < 20 THEN 'rare' ELSE 'bench' END END, s.status, at, at, at, at,
              CASE WHEN s.status IN ('read', 'clicked') THEN at END, CASE WHEN s.status = 'clicked' THEN at END,
              CASE WHEN s.status = 'failed' THEN at END
       FROM ${moments}
       JOIN person p ON p.place = m.i % ($1::int / ${MESSAGES_PER_CONTACT}),
       LATERAL (SELECT CASE WHEN i < 20 THEN 'pending' ELSE
         (ARRAY['read', 'delivered', 'sent', 'accepted', 'read', 'read', 'delivered'])[1 + i % 7] END AS usual) u,
       LATERAL (SELECT CASE WHEN u.usual = 'pending' THEN 'pending' WHEN i % 100 = 1 THEN 'clicked' WHEN i % 50 = 0 THEN 'failed'
                            WHEN i % 20 = 3 THEN 'received' ELSE u.usual END AS status) s`,
      [rows, from, until, accountId, phoneId, campaignId],
    );
    await db.rows(
      `INSERT INTO audit_entries (account_id, id, actor, action, subject_type, subject_id, changes)
       SELECT $4, id_at(at), 'system', CASE WHEN i < 20 THEN 'contact.erased' ELSE 'webhook.created' END,
              CASE WHEN i < 20 THEN 'contact' ELSE 'webhook' END, CASE WHEN i % 1000 = 0 THEN $5::uuid ELSE id_at(at) END, '{}'
       FROM ${moments}`,
      [rows, from, until, accountId, subjectId],
    );
  }
  return { accountId, endpointId, campaignId, contactPhone, subjectId } as Filled;
}

const results: Map<string, Cost>[] = [];
for (const size of SIZES) results.push(await measureReads(2 * DAYS, (db) => fill(size, db), readsOfAll()));
showGrowth(results, { rows: SIZES.join(', ') }, SMALL);
