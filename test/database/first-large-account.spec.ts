import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

/** Contacts of the account that grows. */
const CONTACTS = 20_000;
/** Of them, those in its campaign, its group and its inbox. */
const RECIPIENTS = 6000;
/** What a busy machine may take to write that many rows, milliseconds. */
const WRITE_MS = 200_000;

/**
 * PostgreSQL plans a statement of an account that it has not seen from what it knows of others, and takes an account
 * that is in none of its statistics for empty. A plan that reads all rows of the account for each row exceeds the limit
 * of a statement here, which is a 503; a good one takes a hundredth of it.
 */
describe.each([
  ['sixty accounts with one contact each', 60, 1],
  ['twenty accounts with fifty contacts each', 20, 50],
  ['five accounts with five hundred contacts each', 5, 500],
])('an account that grows large after statistics of %s', (_, accounts, contacts) => {
  let world: World;
  let account: TestAccount;
  let template: { id: string; name: string };
  const campaign = newRecordId();
  const group = newRecordId();

  /** Without foreign keys: of the accounts that the statistics are about, only rows matter. */
  const write = (sql: string, parameters: unknown[] = []) =>
    world.unitOfWork.transaction(
      async (tx) => {
        await tx.affected('SET LOCAL session_replication_role = replica');
        await tx.affected(sql, parameters);
      },
      { statementMs: WRITE_MS },
    );

  /** Contacts of each account `a` of `source`, with a message, a conversation, a recipient and a group member each. */
  async function grow(source: string, count: number, recipients: number): Promise<void> {
    const { id: phoneId } = account.phone;
    await write(
      `INSERT INTO contacts (account_id, id, phone_number, first_name, last_name, source)
       SELECT a.id, md5(a.id || 'contact' || n)::uuid, '4917' || lpad((a.place * 20000 + n)::text, 8, '0'), 'Ada', 'Love', 'api'
       FROM ${source} CROSS JOIN generate_series(1, ${count}) n`,
    );
    await write(
      `INSERT INTO campaigns (account_id, id, name, template_id, template_name, business_phone_id, total_contacts, status, content)
       SELECT a.id, $1, 'Spring', $2, $3, $4, ${recipients}, 'completed', $5 FROM ${source}`,
      [
        campaign,
        template.id,
        template.name,
        phoneId,
        { bodyData: {}, headerData: {}, buttonParams: [], carouselData: [] },
      ],
    );
    await write(
      `INSERT INTO messages (account_id, id, contact_id, business_phone_id, campaign_id, direction, status, message_type, seen)
       SELECT a.id, uuid_of(a.place * 100000 + n), md5(a.id || 'contact' || n)::uuid, $2, $1, 'out', 'sent', 'template', 1
       FROM ${source} CROSS JOIN generate_series(1, ${recipients}) n`,
      [campaign, phoneId],
    );
    await write(
      `INSERT INTO campaign_recipients (account_id, campaign_id, contact_id, position, state, message_id, attempts)
       SELECT a.id, $1, md5(a.id || 'contact' || n)::uuid, n - 1, 'claimed', uuid_of(a.place * 100000 + n), 1
       FROM ${source} CROSS JOIN generate_series(1, ${recipients}) n`,
      [campaign],
    );
    await write(
      `INSERT INTO conversations (account_id, contact_id, business_phone_id, last_message_at)
       SELECT a.id, md5(a.id || 'contact' || n)::uuid, $1, now() - n * interval '1 second'
       FROM ${source} CROSS JOIN generate_series(1, ${recipients}) n`,
      [phoneId],
    );
    await write(`INSERT INTO contact_groups (account_id, id, name) SELECT a.id, $1, 'All' FROM ${source}`, [group]);
    await write(
      `INSERT INTO group_members (account_id, group_id, contact_id)
       SELECT a.id, $1, md5(a.id || 'contact' || n)::uuid FROM ${source} CROSS JOIN generate_series(1, ${recipients}) n`,
      [group],
    );
  }

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' }, databaseUrl: await freshDatabase() });
    account = await world.account();
    template = await approvedTemplate(world, account);
    const first = newRecordId();
    await write(
      `CREATE FUNCTION uuid_of(n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
       AS $$ SELECT (left('${first}', 24) || lpad(to_hex(n), 12, '0'))::uuid $$`,
    );
    await write(
      `INSERT INTO accounts (id, owner_id, name)
       SELECT md5('account' || n)::uuid, owner_id, 'Account ' || n FROM accounts, generate_series(1, ${accounts}) n WHERE id = $1`,
      [account.accountId],
    );
    await grow(
      `(SELECT md5('account' || n)::uuid AS id, n AS place FROM generate_series(1, ${accounts}) n) a`,
      contacts,
      contacts,
    );
    await write('ANALYZE');
    await grow(`(SELECT '${account.accountId}'::uuid AS id, 0 AS place) a`, CONTACTS, RECIPIENTS);
  });
  afterAll(() => world.stop());

  it.each([
    ['contacts', '/contacts/?limit=100'],
    ['contacts of a group', `/contacts/?limit=100&group=${group}`],
    ['contacts by name', '/contacts/?limit=100&search=ada'],
    ['the file of contacts', '/contacts/export'],
    ['groups', '/groups/'],
    ['a group', `/groups/${group}`],
    ['members of a group', `/groups/${group}/contacts?limit=100`],
    ['messages', '/messages/?limit=100'],
    ['messages by status', '/messages/?limit=100&status=sent'],
    ['messages of a campaign', `/messages/?limit=100&campaign_id=${campaign}`],
    ['conversations', '/conversations/?limit=100'],
    ['campaigns', '/campaigns/?limit=100'],
    ['figures of a campaign', `/campaigns/${campaign}/stats`],
    ['recipients', `/campaigns/${campaign}/recipients?limit=100`],
    ['recipients by status', `/campaigns/${campaign}/recipients?limit=100&status=sent`],
    ['recipients by how far they got', `/campaigns/${campaign}/recipients?limit=100&reached=sent`],
    ['recipients by activity', `/campaigns/${campaign}/recipients?limit=100&order=last_activity`],
    ['recipients by name', `/campaigns/${campaign}/recipients?limit=100&order=name&search=ada`],
    ['recipients as a walk', `/campaigns/${campaign}/recipients?limit=100&status=sent&search=ada&cursor=`],
    ['the progress of a campaign', `/campaigns/${campaign}/progress`],
    ['the file of recipients', `/campaigns/${campaign}/recipients.csv`],
  ])('reads %s', async (_, path) => {
    const { status, text } = await account.api.get(`/api/v1${path}`);
    expect({ path, status, text: status === 200 ? '' : text }).toEqual({ path, status: 200, text: '' });
  });

  it('creates campaigns for new people and for known ones, and exports their recipients', async () => {
    const create = async (fields: Record<string, unknown>) => {
      const body = { name: 'Summer', template_name: template.name, ...fields };
      const { status, body: created } = await account.api.post('/api/v1/campaigns/', body);
      const { text } = await account.api.get(`/api/v1/campaigns/${created['campaign_id']}/recipients.csv`);
      return { status, total: created['total_contacts'], exported: text.trimEnd().split('\n').length - 1 };
    };
    const fresh = Array.from({ length: 10_000 }, () => ({ phone: uniquePhone() }));
    expect(await create({ contacts: fresh })).toEqual({ status: 200, total: 10_000, exported: 10_000 });
    const known = fresh.map((_, n) => ({ phone: `4917${String(n + 1).padStart(8, '0')}` }));
    expect(await create({ contacts: known })).toEqual({ status: 200, total: 10_000, exported: 10_000 });
    expect(await create({ group_ids: [group] })).toEqual({ status: 200, total: RECIPIENTS, exported: RECIPIENTS });
  });
});
