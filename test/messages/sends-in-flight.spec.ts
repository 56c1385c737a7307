import { Pipeline } from '../../src/database/unit-of-work.js';
import { Message } from '../../src/messages/message.entity.js';
import { type InFlightBatch, insertInFlight } from '../../src/sending/ledger/send-in-flight.queries.js';
import { SECOND } from '../../src/values/clock.js';
import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { kindsOf, recordOf, report, SEND, untilStatus } from './messages.js';

const HORIZON_MS = 900 * SECOND;
/** How long a send may wait for throughput and then for its answer, milliseconds. */
const MAX_SEND_MS = 15 * SECOND;

describe('messages in flight', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    // Updates are counted over all accounts of the database.
    world = await World.start({ databaseUrl: await freshDatabase() });
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    template = await approvedTemplate(world, account);
  });

  const send = async (contact_phone: string): Promise<string> => {
    const { body, status, text } = await account.api.post(SEND, { template_name: template.name, contact_phone });
    if (status !== 200) throw new Error(text);
    return String(body['message_id']);
  };
  const inFlight = () =>
    world.unitOfWork.autocommit.rows<InFlightBatch>(
      `SELECT account_id, id, campaign_id, message_ids, lease_until, settle_at FROM sends_in_flight
       WHERE account_id = $1 ORDER BY settle_at`,
      [account.accountId],
    );

  describe('of single sends', () => {
    it('have one row per account and batch, until the longest send has ended and the horizon has passed', async () => {
      // Those that arrive while another one is stored share a batch, so a busy machine may need several rounds.
      const { before, ids, batches, after } = await until('sends share a batch', async () => {
        const startedAt = Date.now();
        const sent = await Promise.all(Array.from({ length: 8 }, () => send(uniquePhone())));
        const stored = (await inFlight()).filter(({ messageIds }) => messageIds.some((id) => sent.includes(id)));
        return stored.length < 8 && { before: startedAt, ids: sent, batches: stored, after: Date.now() };
      });
      expect(batches.flatMap(({ messageIds }) => messageIds).sort()).toEqual(ids.sort());
      for (const batch of batches) {
        expect(batch).toMatchObject({ campaignId: null, leaseUntil: null });
        expect(batch.settleAt.getTime()).toBeGreaterThanOrEqual(before + HORIZON_MS + MAX_SEND_MS);
        expect(batch.settleAt.getTime()).toBeLessThanOrEqual(after + HORIZON_MS + MAX_SEND_MS);
      }
    });

    it('get a row of their own once their answer is lost, which expires no later', async () => {
      const lost = `491${uniqueDigits().slice(-5)}9990008`;
      const before = Date.now();
      const { status, headers } = await account.api.post(SEND, { template_name: template.name, contact_phone: lost });
      expect(status).toBe(504);
      const messageIds = [headers.get('x-message-id')];
      const [first, second] = await inFlight();
      expect([first?.messageIds, second?.messageIds]).toEqual([messageIds, messageIds]);
      expect(first?.settleAt.getTime()).toBeGreaterThanOrEqual(before + HORIZON_MS);
    });

    it('have no row when no message was stored', async () => {
      const contact_phone = uniquePhone();
      const { name: template_name } = await approvedTemplate(world, account, { category: 'MARKETING' });
      await send(contact_phone);
      await world.unitOfWork.autocommit.affected(
        'UPDATE contacts SET opted_in = false WHERE account_id = $1 AND phone_number = $2',
        [account.accountId, contact_phone],
      );
      const { body } = await account.api.post(SEND, { template_name, contact_phone });
      expect(body['error']).toBe('contact_opted_out');
      expect(await inFlight()).toHaveLength(1);
    });

    it('are updated by acceptance and reports without index writes (HOT)', async () => {
      const contacts = Array.from({ length: 6 }, () => uniquePhone());
      await Promise.all(contacts.map(send));
      // One for the acceptance and one for each report.
      const expected = 4 * contacts.length;
      const round = async () => {
        const before = await messageUpdates();
        const ids = await Promise.all(contacts.map(send));
        for (const status of ['sent', 'delivered', 'read']) {
          const records = await Promise.all(ids.map((id) => recordOf(account, id)));
          const reports = records.map(({ network_message_id }) => ({ id: String(network_message_id), status }));
          expect(await report(world, account.phone.phoneNumberId, ...reports)).toBe(200);
        }
        await Promise.all(ids.map((id) => untilStatus(account, id, 'read')));
        return until('the statistics are written', async () => {
          const { all, hot } = await messageUpdates();
          return all >= before.all + expected && { all: all - before.all, hot: hot - before.hot };
        });
      };
      let updates = await round();
      // A row that has no room left in its page moves to another one, whatever changed, and what is tried again counts
      // twice. A changed index, or another update, would show each time.
      const isExpected = ({ all, hot }: typeof updates): boolean => all === expected && hot === expected;
      for (let rounds = 1; !isExpected(updates) && rounds < 6; rounds += 1) updates = await round();
      expect(updates).toEqual({ all: expected, hot: expected });
    });
  });

  /** Updates of all message partitions so far, once each connection has flushed its statistics. */
  async function messageUpdates(): Promise<{ all: number; hot: number }> {
    const connections = [
      ...Array.from({ length: 18 }, () => world.parley.app.get(Pipeline).autocommit),
      ...Array.from({ length: 10 }, () => world.unitOfWork.autocommit),
    ];
    // Slow enough that each query gets its own connection.
    await Promise.all(connections.map((tx) => tx.rows('SELECT pg_stat_force_next_flush(), pg_sleep(0.1)')));
    const row = await world.unitOfWork.autocommit.row<{ all: number; hot: number }>(
      `SELECT sum(n_tup_upd)::integer AS all, sum(n_tup_hot_upd)::integer AS hot
       FROM pg_stat_user_tables JOIN pg_inherits ON inhrelid = relid
       WHERE inhparent = 'messages'::regclass`,
    );
    if (row === null) throw new Error('there are no statistics');
    return row;
  }

  describe('that have expired', () => {
    /** Stores pending messages as a process leaves them when it dies before an answer. */
    async function storePending(
      count: number,
      campaignId: string | null = null,
      contactIds?: string[],
    ): Promise<string[]> {
      const contactId = (await recordOf(account, await send(uniquePhone()))).contact_id;
      const messages = Array.from({ length: count }, (_, index) => ({
        accountId: account.accountId,
        id: newRecordId(),
        contactId: contactIds?.[index] ?? contactId,
        businessPhoneId: account.phone.id,
        direction: 'out' as const,
        status: 'pending' as const,
        messageType: 'text',
        content: 'Hi',
        campaignId,
      }));
      await world.unitOfWork.autocommit.manager.insert(Message, messages);
      return messages.map(({ id }) => id);
    }
    const batchOf = (messageIds: string[], more: Partial<InFlightBatch> = {}): InFlightBatch => ({
      accountId: account.accountId,
      id: newRecordId(),
      campaignId: null,
      messageIds,
      leaseUntil: null,
      settleAt: new Date(Date.now() - SECOND),
      ...more,
    });
    const expire = (...batches: InFlightBatch[]) => insertInFlight(batches, world.unitOfWork.autocommit);
    const untilGone = (id: string) =>
      until('the batch is settled', async () => (await inFlight()).every((batch) => batch.id !== id));
    const statusOf = async (id: string | undefined) => (await recordOf(account, id)).status;

    it('fail only if there was no report; the batch is deleted', async () => {
      const sent = await send(uniquePhone());
      const [lost = ''] = await storePending(1);
      const batch = batchOf([sent, lost]);
      await expire(batch);
      await untilGone(batch.id);
      expect(await recordOf(account, lost)).toMatchObject({ status: 'failed', error_code: 900002 });
      expect(await recordOf(account, sent)).toMatchObject({ status: 'sent', error_code: null });
    });

    it('fail once, however often a killed sweep restarts', async () => {
      const [lost = ''] = await storePending(1);
      const batch = batchOf([lost]);
      for (let sweeps = 0; sweeps < 2; sweeps += 1) {
        await expire(batch, batchOf([lost]));
        await untilGone(batch.id);
      }
      await until('all batches are settled', async () =>
        (await inFlight()).every((one) => !one.messageIds.includes(lost)),
      );
      expect((await kindsOf(world, account)).filter((kind) => kind === 'message.failed')).toHaveLength(1);
    });

    it('wait while a worker holds a lease on the batch', async () => {
      const [leased = '', lost = ''] = await storePending(2);
      const held = batchOf([leased], { leaseUntil: new Date(Date.now() + 60 * SECOND) });
      const due = batchOf([lost]);
      await expire(held, due);
      await untilGone(due.id);
      expect([await statusOf(leased), await statusOf(lost)]).toEqual(['pending', 'failed']);
      expect((await inFlight()).map(({ id }) => id)).toContain(held.id);
    });

    it('stay pending while a campaign recipient waits for its retry', async () => {
      const contacts = [uniquePhone(), uniquePhone()].map((phone) => ({ phone }));
      const { body } = await account.api.post<{ campaign_id: string }>('/api/v1/campaigns/', {
        name: 'Spring',
        template_name: template.name,
        contacts,
      });
      const { accountId } = account;
      const recipients = await world.unitOfWork.autocommit.rows<{ contactId: string }>(
        'SELECT contact_id FROM campaign_recipients WHERE account_id = $1 AND campaign_id = $2 ORDER BY position',
        [accountId, body.campaign_id],
      );
      const contactIds = recipients.map(({ contactId }) => contactId);
      const messageIds = await storePending(2, body.campaign_id, contactIds);
      await world.unitOfWork.autocommit.affected(
        `UPDATE campaign_recipients SET state = 'claimed' WHERE account_id = $1 AND campaign_id = $2 AND contact_id = $3`,
        [accountId, body.campaign_id, contactIds[1]],
      );
      const batch = batchOf(messageIds, { campaignId: body.campaign_id });
      await expire(batch);
      await untilGone(batch.id);
      expect(await Promise.all(messageIds.map(statusOf))).toEqual(['pending', 'failed']);
    });
  });
});
