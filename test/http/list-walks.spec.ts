import { newRecordId } from '../../src/values/record-id.js';
import { withExtensions } from '../support/extension-records.js';
import type { ListWalk, Row, TenantRecords } from '../support/module-records.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { type DescribedRoute, pathOf, routesOf } from './routes.js';
import { withRecords } from './tenant-records.js';

let world: World;
let account: TestAccount;
let records: TenantRecords;
let lists: DescribedRoute[];

beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  account = await world.account();
  records = await withRecords(world, account);
  const change = { opted_in: false };
  await account.api.patch(`/api/v1/contacts/${records.values.contact_id}`, change);
  lists = routesOf(world).filter(({ method, inQuery, inAnswer }) => method === 'GET' && isList(inQuery, inAnswer));
});
afterAll(() => world.stop());

const isList = (inQuery: readonly string[], answers: readonly string[]): boolean =>
  ['page', 'cursor'].some((name) => inQuery.includes(name)) || answers.includes('total');

const sql = (statement: string, parameters: unknown[]) => world.unitOfWork.autocommit.rows<Row>(statement, parameters);

/** The column of the tenant: users belong to an organisation. */
const tenantOf = (table: string): [column: string, value: unknown] =>
  table === 'users' ? ['organisation_id', account.organisationId] : ['account_id', account.accountId];

/** Inserts a copy of some row of the tenant, with other values in some columns. */
async function copy(table: string, changes: Row): Promise<void> {
  const [tenant, id] = tenantOf(table);
  const [listed] = await sql(
    `SELECT string_agg(attname, ', ' ORDER BY attnum) AS columns FROM pg_attribute
     WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
    [table],
  );
  await sql(
    `INSERT INTO ${table} (${listed?.columns}) OVERRIDING SYSTEM VALUE
     SELECT ${listed?.columns}
     FROM (SELECT to_jsonb(t) || $2::jsonb AS row FROM ${table} t WHERE ${tenant} = $1 LIMIT 1) model,
          jsonb_populate_record(NULL::${table}, model.row)`,
    [id, JSON.stringify(changes)],
  );
}

const newContact = async (): Promise<string> => {
  const id = newRecordId();
  await copy('contacts', { id, phone_number: uniquePhone(), user_id: null, wa_id: null, deleted_at: null });
  return id;
};

const byId = (table: string, shown: string, fresh: () => Row = () => ({})): ListWalk => ({
  table,
  fresh: () => ({ id: newRecordId(), ...fresh() }),
  shown: [shown, 'id'],
});

const conversations: Omit<ListWalk, 'query'> = {
  table: 'conversations',
  fresh: async () => ({ contact_id: await newContact() }),
  shown: ['phone_number', 'contact_id'],
};

/** The places of recipients in their campaign, of which no two are the same. */
let places = 0;
const recipients: ListWalk = {
  table: 'campaign_recipients',
  fresh: async () => {
    places += 1;
    return { contact_id: await newContact(), position: places };
  },
  shown: ['contact_id', 'contact_id'],
};

/** The walks over each list, by route. A new list needs one; an extension’s is in its `tests/records.ts`. */
const WALKS = withExtensions('lists', {
  'GET /api/v1/agents': [byId('users', 'user_id', () => ({ email: `${newRecordId()}@example.test` }))],
  'GET /api/v1/api-keys': [byId('api_keys', 'id', () => ({ prefix: newRecordId().slice(-8) }))],
  'GET /api/v1/audit': [byId('audit_entries', 'id')],
  'GET /api/v1/business-phones': [
    {
      ...byId('business_phones', 'waba_phone_id', () => ({ phone_number_id: uniqueDigits(), is_primary: false })),
      keeps: (own) => own.account.phone.id,
    },
  ],
  'GET /api/v1/campaigns': [byId('campaigns', 'campaign_id')],
  'GET /api/v1/campaigns/:campaign_id/recipients': [
    recipients,
    { ...recipients, query: 'order=name' },
    { ...recipients, query: 'order=last_activity' },
    { ...recipients, query: 'search=ada' },
  ],
  'GET /api/v1/contacts': [
    byId('contacts', 'id', () => ({ phone_number: uniquePhone(), user_id: null, wa_id: null })),
    {
      ...byId('contacts', 'id', () => ({ phone_number: uniquePhone(), user_id: null, wa_id: null })),
      query: 'search=ada',
    },
  ],
  'GET /api/v1/contacts/:contact_id/consent': [
    {
      table: 'consent_decisions',
      fresh: (number) => ({ number: 1_000_000 + number, decided_at: new Date(2e12 + number).toISOString() }),
      shown: ['at', 'decided_at'],
    },
  ],
  'GET /api/v1/conversations': [
    { ...conversations, query: 'order=created' },
    { ...conversations, query: 'order=active' },
    { ...conversations, query: 'order=created&status=open' },
  ],
  'GET /api/v1/conversations/:contact_phone/messages': [byId('messages', 'message_id')],
  'GET /api/v1/groups': [
    byId('contact_groups', 'id', () => ({ name: `Group ${newRecordId()}` })),
    { ...byId('contact_groups', 'id', () => ({ name: `Group ${newRecordId()}` })), query: 'search=group' },
  ],
  'GET /api/v1/groups/:group_id/contacts': [
    {
      table: 'group_members',
      fresh: async () => ({ contact_id: await newContact() }),
      shown: ['id', 'contact_id'],
    },
  ],
  'GET /api/v1/saved-replies': [byId('saved_replies', 'id', () => ({ name: `Reply ${newRecordId()}`, text: 'Hello' }))],
  'GET /api/v1/messages': [byId('messages', 'message_id')],
  'GET /api/v1/templates': [
    byId('templates', 'id', () => ({ name: `t_${uniqueDigits()}`, meta_template_id: uniqueDigits() })),
  ],
  'GET /api/v1/webhooks': [byId('webhook_endpoints', 'id', () => ({ url: `http://127.0.0.1:1/${newRecordId()}` }))],
  'GET /api/v1/webhooks/:webhook_id/deliveries': [byId('webhook_deliveries', 'id')],
});

interface ListBody {
  readonly message?: string;
  readonly next_cursor?: string | null;
  readonly page?: number;
  readonly total?: number;
}

const LIMIT = 3;
const get = async (route: DescribedRoute, query: string) =>
  account.api.get<ListBody>(`${pathOf(route, records.values)}?${query}`);

/** One page of a walk: what identifies its records, and the next cursor. */
async function pageOf(route: DescribedRoute, { shown: [field] }: ListWalk, query: string, cursor: string) {
  const { status, body, text } = await get(route, `${query}&limit=${LIMIT}&cursor=${cursor}`);
  if (status !== 200) throw new Error(`${route.key}: ${text}`);
  const rows = Object.values(body).find(Array.isArray) as Row[];
  return { ids: rows.map((row) => String(row[field])), next: body.next_cursor, body };
}

/** Removes the row that a record shows, for good. */
async function remove({ table, keeps, shown: [field, column] }: ListWalk, shown: string): Promise<void> {
  if (keeps?.(records) === shown) return;
  const [tenant, id] = tenantOf(table);
  const holder =
    field === 'phone_number' ? '(SELECT id FROM contacts WHERE account_id = $1 AND phone_number = $2)' : '$2';
  await sql(`DELETE FROM ${table} WHERE ${tenant} = $1 AND ${column} = ${holder}`, [id, shown]);
}

it('every list takes a cursor, and has a walk in this test', () => {
  expect(lists.map(({ key }) => key).sort()).toEqual(Object.keys(WALKS).sort());
  for (const { key, inQuery, inAnswer } of lists) {
    expect([key, inQuery]).toEqual([key, expect.arrayContaining(['page', 'limit', 'cursor'])]);
    expect([key, inAnswer]).toEqual([key, expect.arrayContaining(['total', 'next_cursor'])]);
  }
});

describe.each(
  Object.entries(WALKS).flatMap(([key, walks]) => walks.map((walk) => ({ key, walk, query: walk.query ?? '' }))),
)('$key?$query', ({ key, walk, query }) => {
  const route = (): DescribedRoute => {
    const found = lists.find((list) => list.key === key);
    if (found === undefined) throw new Error(`${key} is no list`);
    return found;
  };

  beforeAll(async () => {
    for (let number = 1; number <= 8; number += 1) await copy(walk.table, await walk.fresh(number, records));
  });

  it('gives every row once, although rows are deleted and created between its pages', async () => {
    const expected: string[] = [];
    for (let next: string | null | undefined = ''; typeof next === 'string'; ) {
      const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(route(), walk, query, next);
      expected.push(...page.ids);
      next = page.next;
    }
    expect(expected.length).toBeGreaterThanOrEqual(8);
    expect(new Set(expected).size).toBe(expected.length);

    const seen: string[] = [];
    let number = 100;
    for (let next: string | null | undefined = ''; typeof next === 'string'; number += 1) {
      const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(route(), walk, query, next);
      seen.push(...page.ids);
      next = page.next;
      expect(page.body).not.toHaveProperty('page');
      expect(typeof page.body.total).toBe('number');
      // The row that the cursor names goes, and so does the first of the page.
      if (number < 102) for (const id of new Set([page.ids[0], page.ids.at(-1)])) await remove(walk, String(id));
      if (number < 102) await copy(walk.table, await walk.fresh(number, records));
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.filter((id) => expected.includes(id))).toEqual(expected);
  });

  it('refuses cursors of another list, account or filter, and page beside cursor (400 naming the field)', async () => {
    const { next } = await pageOf(route(), walk, query, '');
    expect(typeof next).toBe('string');
    const foreign = lists.find((list) => list.key !== key && list.path !== route().path);
    if (foreign === undefined) throw new Error('there is one list only');
    const refused = { status: 400, body: { error: 'bad_request', message: expect.stringMatching(/^cursor /) } };
    expect(await get(foreign, `cursor=${next}`)).toMatchObject(refused);
    expect(await get(route(), `${query}&cursor=x${next}`)).toMatchObject(refused);
    expect(await get(route(), `${query}&cursor=${next}&cursor=${next}`)).toMatchObject(refused);
    for (const name of route().inQuery.filter((each) => ['search', 'status', 'since'].includes(each))) {
      const other = name === 'since' ? '2030-01-01' : 'x';
      const { status, body } = await get(
        route(),
        `${query.replace(/search=\w+|status=\w+/, '')}&${name}=${other}&cursor=${next}`,
      );
      expect([status, body.message]).toEqual([400, expect.stringMatching(/^cursor /)]);
    }
    expect(await get(route(), `${query}&cursor=${next}&page=1`)).toMatchObject({
      status: 400,
      body: { message: 'page and cursor exclude each other; send one of them' },
    });
    const { api } = await world.account();
    const other = await api.get(`${pathOf(route(), records.values)}?${query}&cursor=${next}`);
    expect([400, 404]).toContain(other.status);
  });

  it('has no next_cursor without a cursor', async () => {
    expect((await get(route(), query)).body).not.toHaveProperty('next_cursor');
  });
});
