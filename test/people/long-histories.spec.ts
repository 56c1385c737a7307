import { act as actOn, draft, untilCampaign } from '../campaigns/campaigns.js';
import { deliver } from '../inbound/inbound.js';
import { openWindow, recordOf, SEND_MESSAGE } from '../messages/messages.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, World } from '../support/world.js';
import { CONTACTS, createContact, lookForStragglers, merge, rowsOf, untilMoved } from './merging.js';

const MESSAGES = 100_000;
/** How long a statement of 20,000 messages may take on a busy machine, milliseconds. */
const STATEMENT_MS = 120_000;
/** How long moving them all may take there, milliseconds. */
const MOVING_MS = 240_000;

describe('two contacts with long histories', () => {
  let databaseUrl: string;
  let world: World;
  let account: TestAccount;
  beforeAll(async () => {
    databaseUrl = await freshDatabase();
    // Without workers nothing moves until the test says so.
    world = await World.start({ databaseUrl, env: { PARLEY_ROLES: 'api' } });
    account = await world.account();
  });
  afterAll(() => world.stop());

  /** Stores messages of a contact. Their ids are spread over the hour before the last ten minutes. */
  const since = new Date(Date.now() - 3_600_000);
  const fill = async (contactId: string): Promise<void> => {
    for (let from = 0; from < MESSAGES; from += 20_000) {
      const insert = `INSERT INTO messages (account_id, id, direction, contact_id, business_phone_id, message_type, content, status, created_at)
         SELECT $1, overlay(replace(new_record_id()::text, '-', '') PLACING
                            left(replace(record_id_bound($5::timestamptz + n * interval '30 ms')::text, '-', ''), 12) FROM 1)::uuid,
                'in', $2, $3, 'text', 'Message ' || n, 'received', $5::timestamptz + n * interval '30 ms'
         FROM generate_series($4::integer + 1, $4::integer + 20000) AS n`;
      const parameters = [account.accountId, contactId, account.phone.id, from, since];
      await world.unitOfWork.transaction((tx) => tx.affected(insert, parameters), { statementMs: STATEMENT_MS });
    }
  };
  const countOf = async (contactId: string): Promise<number> =>
    (
      await rowsOf<{ count: number }>(
        world,
        account,
        'SELECT count(*)::integer AS count FROM messages WHERE account_id = $1 AND contact_id = $2',
        contactId,
      )
    )[0]?.count ?? 0;

  it('are merged at once and move in slices, while reads, sends, replies and reports go on', async () => {
    const [older, younger] = [await createContact(account), await createContact(account)];
    for (const { phone_number } of [older, younger]) await openWindow(world, account.phone, phone_number);
    const { name } = await approvedTemplate(world, account);
    const campaign = await draft(account, name, [younger.phone_number]);
    const worker = await world.worker();
    try {
      await actOn(account, campaign, 'send');
      await untilCampaign(account, campaign, 'completed');
    } finally {
      await worker.stop();
    }
    await fill(older.id);
    await fill(younger.id);
    const before = await countOf(younger.id);
    const of = async (number: string) =>
      (
        await account.api.get<{ total: number; messages: { id: string; content: string }[] }>(
          `/api/v1/conversations/${number}/messages?limit=100`,
        )
      ).body;

    expect(await merge(world, account, older.id, younger.id)).toBe(older.id);
    expect(await countOf(younger.id)).toBeGreaterThan(before - 1100);
    // Half of each history at the top: reads see both as one.
    const page = await of(older.phone_number);
    expect(
      page.messages.map(({ content }) => content).filter((content) => content === `Message ${MESSAGES}`),
    ).toHaveLength(2);
    expect((await of(younger.phone_number)).messages).toEqual(page.messages);
    const filtered = await account.api.get(
      `/api/v1/messages/?contact_phone=${older.phone_number}&direction=out&limit=10`,
    );
    expect(filtered.body).toMatchObject({ messages: [{ contact_id: older.id, contact_phone: older.phone_number }] });

    // Somebody holds a message that has not moved yet: only its slice waits, and nobody else.
    const [oldest] = await rowsOf<{ id: string }>(
      world,
      account,
      'SELECT id FROM messages WHERE account_id = $1 AND contact_id = $2 ORDER BY id LIMIT 1',
      younger.id,
    );
    const foreign = await ForeignSession.open(databaseUrl);
    let moving: World | null = null;
    try {
      await foreign.lock('messages', 'account_id = $1 AND id = $2', [account.accountId, oldest?.id]);
      moving = await world.worker();
      await until('most has moved', async () => (await countOf(younger.id)) < MESSAGES / 2, MOVING_MS);
      const send = { contact_phone: older.phone_number, message_type: 'text', message: 'Meanwhile' };
      const { status, body } = await account.api.post(SEND_MESSAGE, send);
      expect(status).toBe(200);
      expect(await recordOf(account, body['message_id'])).toMatchObject({ contact_id: older.id });
      const reply = { type: 'text', text: { body: 'Still here' }, from: older.phone_number };
      expect(await deliver(world, account.phone, { messages: [{ id: `wamid.${uniqueDigits()}`, ...reply }] })).toBe(
        200,
      );
      expect(
        (await of(older.phone_number)).messages
          .slice(0, 2)
          .map(({ content }) => content)
          .sort(),
      ).toEqual(['Meanwhile', 'Still here']);
      const stats = await account.api.get(`/api/v1/campaigns/${campaign}/stats`);
      expect(stats.body).toMatchObject({ replied_count: 1 });
      await foreign.release();
      await untilMoved(world, account, MOVING_MS);
      await lookForStragglers(world, account);
    } finally {
      await foreign.close();
      await moving?.stop();
    }
    expect(await countOf(younger.id)).toBe(0);
    expect(await countOf(older.id)).toBe(2 * MESSAGES + 5);
    expect((await account.api.get(CONTACTS + younger.id)).body).toMatchObject({ contact: { id: older.id } });
  }, 900_000);
});
