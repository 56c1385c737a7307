import { recordStatements } from '../../bench/support/recorded-statements.js';
import { findAuditEntries } from '../../src/audit/audit-entry.queries.js';
import type { Tx } from '../../src/database/unit-of-work.js';
import { ANY_MESSAGE, listMessages } from '../../src/messages/history/message-history.queries.js';
import { newRecordId } from '../../src/values/record-id.js';
import { findDeliveries } from '../../src/webhooks/log/delivery-log.queries.js';
import { ForeignSession } from '../support/foreign-session.js';
import type { TenantRecords } from '../support/module-records.js';
import { type TestAccount, World } from '../support/world.js';
import { withRecords } from './tenant-records.js';

let world: World;
let account: TestAccount;
let records: TenantRecords;
/** Its statements have no limit, unlike those of the service: thousands of rows may take a busy machine long. */
let foreign: ForeignSession;

beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  foreign = await ForeignSession.open(world.environment.databaseUrl);
  account = await world.account();
  records = await withRecords(world, account);
});
afterAll(async () => {
  await foreign.close();
  await world.stop();
});

type Log = 'messages' | 'webhook_deliveries' | 'audit_entries';

/** Copies a row of a log. */
const copy = (table: Log, count: number, changes: Record<string, unknown>): Promise<unknown> =>
  foreign.query(
    `INSERT INTO ${table}
     SELECT made.* FROM (SELECT * FROM ${table} WHERE account_id = $1 LIMIT 1) model, generate_series(1, $3::int) number,
       LATERAL (SELECT to_jsonb(model) || $2::jsonb || jsonb_build_object('id', new_record_id(), 'number', number) AS row) fresh,
       jsonb_populate_record(NULL::${table}, fresh.row) made`,
    [account.accountId, JSON.stringify(changes), count],
  );

const pathOf: Readonly<Record<Log, () => string>> = {
  messages: () => '/api/v1/messages/',
  webhook_deliveries: () => `/api/v1/webhooks/${records.values.webhook_id}/deliveries`,
  audit_entries: () => '/api/v1/audit/',
};

interface LogBody {
  readonly message?: string;
  readonly total: number;
  readonly total_is_capped?: boolean;
}

const get = async (log: Log, query: string) => account.api.get<LogBody>(`${pathOf[log]()}?${query}`);
const rowsOf = (body: object): unknown[] => Object.values(body).find(Array.isArray) as unknown[];

describe.each(['messages', 'webhook_deliveries', 'audit_entries'] as const)('the total of %s', (log) => {
  it('is exact up to 10,000, and says when there are more; later pages still answer', async () => {
    const before = (await get(log, '')).body.total;
    await copy(log, 10_000 - before, {});
    expect((await get(log, 'limit=1')).body).toMatchObject({ total: 10_000 });
    expect((await get(log, 'limit=1')).body).not.toHaveProperty('total_is_capped');
    await copy(log, 30, {});
    expect((await get(log, 'limit=1')).body).toMatchObject({ total: 10_000, total_is_capped: true });
    expect(rowsOf((await get(log, 'limit=20&page=502')).body)).toHaveLength(10);
    expect((await get(log, 'limit=1&cursor=')).body).toMatchObject({ total: 10_000, total_is_capped: true });
    expect((await get(log, 'until=2020-01-01')).body).toMatchObject({ total: 0 });
  });
});

describe('filters of logs', () => {
  it('select deliveries by status and event', async () => {
    await copy('webhook_deliveries', 3, { status: 'failed', kind: 'button.clicked', next_attempt_at: null });
    expect((await get('webhook_deliveries', 'status=failed')).body.total).toBe(3);
    expect((await get('webhook_deliveries', 'event=button.clicked')).body.total).toBe(3);
    expect((await get('webhook_deliveries', 'event=button.clicked&status=pending')).body.total).toBe(0);
    for (const [query, field] of [
      ['status=lost', 'status'],
      ['event=message.lost', 'event'],
    ] as const) {
      const { status, body } = await get('webhook_deliveries', query);
      expect([status, body.message]).toEqual([400, expect.stringMatching(new RegExp(`^${field} must be one of`))]);
    }
  });

  it('select messages by template', async () => {
    await copy('messages', 2, {
      template_name: 'rarely_used',
      direction: 'out',
      status: 'failed',
      failed_at: new Date(),
    });
    expect((await get('messages', 'template_name=rarely_used')).body.total).toBe(2);
    expect((await get('messages', 'template_name=rarely_used&status=failed')).body.total).toBe(2);
    expect((await get('messages', 'template_name=rarely_used&direction=in')).body.total).toBe(0);
    expect((await get('messages', 'template_name=never_used')).body.total).toBe(0);
  });

  it('look only so far for messages with a rare status; the next page of a walk goes on from there', async () => {
    await copy('messages', 3, { direction: 'out', status: 'accepted' });
    await copy('messages', 20_010, { direction: 'out', status: 'read' });
    await copy('messages', 2, { direction: 'out', status: 'accepted' });
    const byNumber = await get('messages', 'status=accepted');
    expect([rowsOf(byNumber.body).length, byNumber.body.total, byNumber.body.total_is_capped]).toEqual([2, 2, true]);
    for (const limit of [1, 2, 4, 20]) {
      const pages: number[] = [];
      const ids = new Set<unknown>();
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { body }: { body: LogBody & { next_cursor?: string | null } } = await get(
          'messages',
          `status=accepted&limit=${limit}&cursor=${cursor}`,
        );
        const rows = rowsOf(body) as { message_id: string }[];
        pages.push(rows.length);
        for (const { message_id: id } of rows) ids.add(id);
        cursor = body.next_cursor ?? null;
      }
      expect([limit, ids.size]).toEqual([limit, 5]);
      expect(pages).toEqual({ 1: [1, 1, 1, 1, 1], 2: [2, 2, 1], 4: [2, 3], 20: [2, 3] }[limit] as number[]);
    }
  });

  it.each(['messages', 'webhook_deliveries', 'audit_entries'] as const)('select %s by time', async (log) => {
    const all = 10_000;
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect((await get(log, `until=${tomorrow}`)).body.total).toBe(all);
    expect((await get(log, `since=${tomorrow}`)).body.total).toBe(0);
    // Query strings turn an unencoded + into a blank.
    expect((await get(log, 'since=2020-11-25T06:00:00+02:00')).body.total).toBe(all);
    expect((await get(log, 'since=2020-11-25T06:00:00 0200')).body.total).toBe(all);
    expect((await get(log, 'since=2020-11-25T06:00:00%2B02')).body.total).toBe(all);
    for (const wrong of ['2026-02-30', '2026-11-25T06:00:00 02:00:00', 'yesterday', '2026-11']) {
      const { status, body } = await get(log, `since=${encodeURIComponent(wrong)}`);
      expect([wrong, status, body.message]).toEqual([wrong, 400, expect.stringMatching(/^since must be/)]);
    }
    expect((await get(log, 'since=2026-02-01&until=2026-01-01')).body.message).toMatch(
      /^since must not be after until/,
    );
  });
});

describe('a plan made while a log was empty', () => {
  /** The indexes that the generic plans of a query use. */
  async function indexesOf(query: (tx: Tx) => Promise<unknown>): Promise<string> {
    const found: string[] = [];
    for (const { text, parameters } of await recordStatements(query)) {
      await world.unitOfWork.transaction(async (tx) => {
        await tx.rows('SET LOCAL plan_cache_mode = force_generic_plan');
        await tx.rows('SET LOCAL enable_seqscan = off');
        await tx.rows(`PREPARE planned AS ${text}`);
        const nulls = parameters.map(() => 'NULL').join(', ');
        const lines = await tx.rows<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS OFF) EXECUTE planned(${nulls})`);
        await tx.rows('DEALLOCATE planned');
        found.push(...lines.map((line) => line['QUERY PLAN']));
      });
    }
    return found.join('\n');
  }

  const [id, page] = [newRecordId(), { page: 1, limit: 20 }];
  it.each([
    [
      'messages of a template',
      /messages_\d+_account_id_template_name_id_idx/,
      (tx: Tx) => listMessages(id, { ...ANY_MESSAGE, templateName: 'a' }, page, tx),
    ],
    [
      'received messages',
      /messages_\d+_account_id_id_idx/,
      (tx: Tx) => listMessages(id, { ...ANY_MESSAGE, status: 'received' }, page, tx),
    ],
    [
      'failed messages',
      /messages_\d+_account_id_id_idx1/,
      (tx: Tx) => listMessages(id, { ...ANY_MESSAGE, status: 'failed' }, page, tx),
    ],
    [
      'clicked messages',
      /messages_\d+_account_id_id_idx2/,
      (tx: Tx) => listMessages(id, { ...ANY_MESSAGE, status: 'clicked' }, page, tx),
    ],
    [
      'deliveries of an event',
      /webhook_deliveries_\d+_account_id_endpoint_id_kind_id_idx/,
      (tx: Tx) => findDeliveries(id, id, { kind: 'webhook.test' }, page, tx),
    ],
    [
      'failed deliveries',
      /webhook_deliveries_\d+_account_id_endpoint_id_id_idx1/,
      (tx: Tx) => findDeliveries(id, id, { status: 'failed' }, page, tx),
    ],
    [
      'audit entries of an action',
      /audit_entries_action_idx/,
      (tx: Tx) => findAuditEntries(id, { action: 'agent.created' }, page, tx),
    ],
  ] as const)('finds %s through their index', async (_, index, query) => {
    expect(await indexesOf(query)).toMatch(index);
  });
});
