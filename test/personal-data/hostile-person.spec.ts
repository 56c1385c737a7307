import { act, pathOf, started } from '../campaigns/campaigns.js';
import { deliver } from '../inbound/inbound.js';
import { freshDatabase } from '../support/database.js';
import { LOOKS_PER_SLICE, SliceSteps } from '../support/slice-steps.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { erase, untilPass } from './erasing.js';

const ANSWERS = 4;
const EVENTS = 1500;
const CALLBACKS = 50;
const MESSAGES = 40;
/** Entries of a campaign's list, all invalid but one. */
const MANY = 10_000;
const LONG = 64 * 1024;
/** So slow that the other tenant's campaign outlasts the test. */
const THROUGHPUT = 5;

const filled = (piece: string, length: number): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length);

/** One person whose account stores the largest texts about them everywhere. */
describe('a person about whom the largest texts are stored', () => {
  let world: World;
  let hostile: TestAccount;
  let other: TestAccount;
  let phone: string;
  let contactId: string;
  let campaignId: string;
  let steps: SliceSteps;

  const execute = (sql: string, ...parameters: unknown[]) => world.unitOfWork.autocommit.affected(sql, parameters);

  async function storeAnswers(): Promise<void> {
    const { name } = await approvedTemplate(world, hostile);
    const invalid = Array.from({ length: MANY - 1 }, () => ({ phone: `${phone} ${filled('- a', 50)}` }));
    for (let index = 0; index < ANSWERS; index += 1) {
      const contacts = [{ phone: uniquePhone() }, ...invalid];
      const { status } = await hostile.api.post(
        '/api/v1/campaigns/',
        { name: 'Invalid', template_name: name, contacts },
        { headers: { 'idempotency-key': `answer-${index}` } },
      );
      expect(status).toBe(200);
    }
  }

  async function storeMessages(): Promise<void> {
    for (let index = 0; index < MESSAGES; index += 1) {
      const text = { body: filled(`${phone}a@`, LONG) };
      const messages = [{ id: `wamid.${uniqueDigits()}`, from: phone, timestamp: '1760000000', type: 'text', text }];
      expect(await deliver(world, hostile.phone, { messages })).toBe(200);
    }
  }

  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase() });
    hostile = await world.account();
    other = await world.account({ throughput: THROUGHPUT });
    phone = uniquePhone();
    const created = await hostile.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      phone_number: phone,
      first_name: 'Ada',
    });
    contactId = created.body.contact.id;
    await storeAnswers();
    await storeMessages();
    const about = JSON.stringify({ from: phone, text: filled('4915112345678a@', 4096) });
    await execute(
      `INSERT INTO events (account_id, id, occurred_at, kind, body)
       SELECT $1, new_record_id(), now(), 'test', $2 FROM generate_series(1, $3::int)`,
      hostile.accountId,
      about,
      EVENTS,
    );
    await execute(
      `INSERT INTO unhandled_callbacks (id, account_id, reason, body)
       SELECT new_record_id(), $1, 'unknown', $2 FROM generate_series(1, $3::int)`,
      hostile.accountId,
      JSON.stringify({ wa_id: phone, text: filled('4915112345678a@', LONG) }),
      CALLBACKS,
    );
    const template = await approvedTemplate(world, other);
    campaignId = await started(other, template.name, 3000);
  });
  afterAll(async () => {
    if (campaignId !== undefined) await act(other, campaignId, 'cancel');
    await world.stop();
  });
  beforeEach(() => {
    steps = new SliceSteps();
  });
  afterEach(() => steps.stop());

  /** The process that sends the other tenant's campaign, and until when it may. */
  const readLease = async () => {
    const sql = 'SELECT owner, owned_until::text AS until FROM phone_throughput WHERE account_id = $1';
    const rows = await world.unitOfWork.autocommit.rows<{ owner: string; until: string }>(sql, [other.accountId]);
    return rows[0];
  };
  const sentOf = async (): Promise<number> =>
    (await other.api.get<{ campaign: { sent_count: number } }>(pathOf(campaignId))).body.campaign.sent_count;

  /** Works for the other tenant until `isDone`, and looks after the lease of its phone. */
  async function beside(isDone: () => boolean) {
    const statuses = new Set<number>();
    const owners = new Set<string>();
    const renewals = new Set<string>();
    do {
      const lease = await readLease();
      if (lease !== undefined) {
        owners.add(lease.owner);
        renewals.add(lease.until);
      }
      statuses.add((await other.api.get('/health/live')).status);
      statuses.add((await other.api.get('/api/v1/agents')).status);
    } while (!isDone());
    return { statuses, owners, renewals };
  }

  /** Does work of the hostile tenant while the other one works, too, and its campaign keeps its phone. */
  async function withOthers<Result>(work: () => Promise<Result>): Promise<Result> {
    const sent = await until('the campaign sends', sentOf);
    let isDone = false;
    const working = work().finally(() => {
      isDone = true;
    });
    const { statuses, owners, renewals } = await beside(() => isDone);
    const result = await working;
    expect(statuses).toEqual(new Set([200]));
    // No other process had to take the phone over, and this one renewed its lease while it worked.
    await until('the lease has been renewed', async () => {
      const lease = await readLease();
      if (lease !== undefined) {
        owners.add(lease.owner);
        renewals.add(lease.until);
      }
      return renewals.size > 1;
    });
    expect(owners.size).toBe(1);
    await until('the campaign has gone on', async () => (await sentOf()) > sent);
    return result;
  }

  /** What goes on at once may begin a slice each, in both phases of a turn. */
  const expectSlices = (entries: number): void => {
    expect(steps.looks).toBeGreaterThan(entries);
    expect(steps.mostPerTurn).toBeLessThan(4 * LOOKS_PER_SLICE);
  };

  it('is exported in slices, while other tenants work', async () => {
    const exported = await withOthers(() =>
      hostile.api.get<Record<string, unknown[]>>(`/api/v1/contacts/${contactId}/export`),
    );
    expect(exported.status).toBe(200);
    const { body } = exported;
    expect(body['stored_answers']).toHaveLength(ANSWERS);
    expect(body['messages']).toHaveLength(MESSAGES);
    expect(body['callbacks']).toHaveLength(CALLBACKS);
    expectSlices(EVENTS + CALLBACKS + ANSWERS * (MANY - 1));
  });

  it('is erased in slices, while other tenants work and keep their leases', async () => {
    await withOthers(async () => {
      await erase(hostile, contactId);
      await untilPass(world, hostile, contactId, 1);
    });
    expectSlices(EVENTS + ANSWERS);
  });
});
