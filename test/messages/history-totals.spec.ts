import { v7 } from 'uuid';
import {
  createPartitions,
  PARTITIONED_TABLES,
  partitionAt,
  partitionsBetween,
} from '../../src/database/schema/partitions.js';
import { Message } from '../../src/messages/message.entity.js';
import { MESSAGE_STATUSES } from '../../src/messages/reports/message-status.js';
import { DAY } from '../../src/values/clock.js';
import { freshDatabase } from '../support/database.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { sendCampaign } from './campaign-messages.js';
import { openWindow, report, SEND, secondsAgo } from './messages.js';

interface Listed {
  readonly messages: readonly { readonly message_id: string }[];
  readonly total: number;
}

const LIST = '/api/v1/messages/';
const STATUSES = [...MESSAGE_STATUSES, 'received'];
const FILTERS: readonly Record<string, string>[] = [
  {},
  { direction: 'in' },
  { direction: 'out' },
  ...STATUSES.flatMap((status): Record<string, string>[] => [
    { status },
    { status, direction: 'in' },
    { status, direction: 'out' },
  ]),
];

describe('totals of message lists', () => {
  let world: World;

  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase() });
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());

  /** All pages of a list, joined. */
  const listed = async (
    { api }: TestAccount,
    filter: Readonly<Record<string, string>>,
    limit = 100,
  ): Promise<Listed> => {
    const ids: { message_id: string }[] = [];
    let total = 0;
    for (let page = 1; ; page += 1) {
      const query = new URLSearchParams({ ...filter, page: String(page), limit: String(limit) });
      const { body } = await api.get<Listed>(`${LIST}?${query}`);
      ids.push(...body.messages);
      total = body.total;
      if (body.messages.length === 0) return { messages: ids, total };
    }
  };
  /** The rows that a list must have, newest first, read past the API. */
  const rowsOf = async ({ accountId }: TestAccount, { direction, status }: { direction?: string; status?: string }) => {
    const rows = await world.unitOfWork.autocommit.rows<{ id: string }>(
      `SELECT id FROM messages WHERE account_id = $1 AND direction = coalesce($2, direction) AND status = coalesce($3, status)
       ORDER BY id DESC`,
      [accountId, direction ?? null, status ?? null],
    );
    return rows.map(({ id }) => id);
  };
  const expectExact = async (account: TestAccount, limit?: number) => {
    for (const filter of FILTERS) {
      const ids = await rowsOf(account, filter);
      const { messages, total } = await listed(account, filter, limit);
      expect({ filter, total, ids: messages.map(({ message_id }) => message_id) }).toEqual({
        filter,
        total: ids.length,
        ids,
      });
    }
  };

  it('follow every message and status report', async () => {
    const account = await world.account();
    const { name: template_name } = await approvedTemplate(world, account);
    await expectExact(account);
    await openWindow(world, account.phone, uniquePhone(), { name: 'Ada', text: 'Hi', timestamp: secondsAgo(30) });
    for (let index = 0; index < 3; index += 1) {
      expect((await account.api.post(SEND, { template_name, contact_phone: uniquePhone() })).status).toBe(200);
    }
    const { messages } = await sendCampaign(world, account, 8);
    await expectExact(account);
    const reported = ['delivered', 'read', 'failed', 'delivered', 'read'];
    for (const [index, status] of reported.entries()) {
      const message = messages[index];
      if (message === undefined) throw new Error('a message is missing');
      await report(world, account.phone.phoneNumberId, { id: message.networkId, status });
    }
    // A delivery after a failure replaces it.
    const failed = messages[2];
    if (failed === undefined) throw new Error('a message is missing');
    await expectExact(account);
    await report(world, account.phone.phoneNumberId, { id: failed.networkId, status: 'delivered' });
    await expectExact(account);
    expect((await listed(account, { status: 'failed' })).total).toBe(0);
    expect((await listed(account, { status: 'delivered' })).total).toBe(3);
  });

  it('and pages are exact over months', async () => {
    const account = await world.account();
    const { accountId } = account;
    const contact = await account.api.post<{ contact: { id: string } }>('/api/v1/contacts/', {
      phone_number: uniquePhone(),
      first_name: 'Ada',
    });
    const contactId = contact.body.contact.id;
    const table = PARTITIONED_TABLES.find(({ table: name }) => name === 'messages');
    if (table === undefined) throw new Error('messages are not partitioned');
    const now = Date.now();
    await createPartitions(
      world.unitOfWork.pool,
      table,
      partitionsBetween(table, new Date(now - 150 * DAY), new Date(now)),
    );
    const rows = Array.from({ length: 90 }, (_, index) => {
      const status = STATUSES[index % STATUSES.length] ?? 'pending';
      const at = now - index * 1.5 * DAY;
      return {
        accountId,
        id: v7({ msecs: at }),
        direction: status === 'received' ? ('in' as const) : ('out' as const),
        contactId,
        businessPhoneId: account.phone.id,
        messageType: 'text',
        status: status as Message['status'],
        createdAt: new Date(at),
      };
    });
    await world.unitOfWork.transaction(({ manager }) => manager.insert(Message, rows));
    for (const limit of [7, 100]) await expectExact(account, limit);
    expect((await listed(account, {})).total).toBe(90);
    // Rows that leave with their month leave the totals at that moment, even if the drop is not complete.
    const oldest = partitionAt(table, rows.at(-1)?.createdAt ?? new Date());
    await world.unitOfWork.autocommit.affected(`ALTER TABLE messages DETACH PARTITION ${oldest.name}`);
    await expectExact(account);
    expect((await listed(account, {})).total).toBeLessThan(90);
  });
});
