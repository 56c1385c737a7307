import { enrol, stateOf } from '../conversations/conversations.js';
import { eventsOf, kindsOf, recordOf, secondsAgo } from '../messages/messages.js';
import { crowdOf } from '../support/crowd.js';
import { ForeignSession } from '../support/foreign-session.js';
import { uniqueDigits } from '../support/test-account.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { unhandledOf } from './inbound.js';

describe('a message that its sender changes', () => {
  let world: World;
  let account: TestAccount;
  let contact: string;

  beforeAll(async () => {
    world = await World.start();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    contact = uniquePhone();
  });

  const write = async (input: Record<string, unknown>): Promise<string> => {
    const sent = await world.simulator.inbound({
      phone_number_id: account.phone.phoneNumberId,
      from: contact,
      ...input,
    });
    expect(sent.callback_status).toBe(200);
    return sent.id;
  };
  const all = async (): Promise<Record<string, unknown>[]> =>
    (await account.api.get<{ messages: Record<string, unknown>[] }>('/api/v1/messages/')).body.messages;
  const preview = async (): Promise<unknown> =>
    (await account.api.get<{ conversations: Record<string, unknown>[] }>('/api/v1/conversations/')).body
      .conversations[0]?.['last_message_preview'];
  const edit = (original_message_id: string, text: string, more: Record<string, unknown> = {}) =>
    write({ type: 'edit', original_message_id, text, ...more });
  const revoke = (original_message_id: string, more: Record<string, unknown> = {}) =>
    write({ type: 'revoke', original_message_id, ...more });

  it('shows its new text in record, thread and preview, and message.edited tells', async () => {
    const id = await write({ type: 'text', text: 'Helo', timestamp: secondsAgo(60) });
    const timestamp = secondsAgo(30);
    await edit(id, 'Hello', { timestamp });
    const [record] = await all();
    expect(record).toMatchObject({ content: 'Hello', edited_at: new Date(timestamp * 1000).toISOString() });
    expect(await preview()).toBe('Hello');
    const events = await eventsOf(world, account);
    expect(events).toMatchObject([
      { event: 'message.received' },
      { event: 'message.edited', message: record, changed: ['content', 'edited_at'] },
    ]);
  });

  it('loses its content, parts and preview when it is revoked, and message.revoked tells', async () => {
    const id = await write({ type: 'location' });
    await revoke(id);
    const [record] = await all();
    expect(record).toMatchObject({ message_type: 'location', content: '', revoked_at: expect.any(String) });
    expect(record).not.toHaveProperty('location');
    expect(await preview()).toBe('Deleted message');
    expect((await eventsOf(world, account)).at(-1)).toMatchObject({
      event: 'message.revoked',
      message: record,
      changed: ['content', 'location', 'revoked_at'],
    });
    const stored = await world.unitOfWork.autocommit.row('SELECT payload FROM messages WHERE account_id = $1', [
      account.accountId,
    ]);
    expect(stored).toEqual({ payload: null });
  });

  it('keeps its file when the caption is edited, and loses it when it is revoked', async () => {
    const id = await write({ type: 'image', media: { caption: 'Loook' } });
    const [before] = await all();
    await write({
      type: 'edit',
      original_message_id: id,
      message: { type: 'image', media: { id: 'another', caption: 'Look' } },
    });
    const [edited] = await all();
    expect(edited).toMatchObject({
      content: 'Look',
      media: { sha256: (before?.['media'] as { sha256: string } | undefined)?.sha256 },
    });
    await revoke(id);
    expect((await all())[0]).not.toHaveProperty('media');
    const files = await world.unitOfWork.autocommit.rows(
      "SELECT 1 AS kept FROM media_files WHERE account_id = $1 AND status <> 'discarded'",
      [account.accountId],
    );
    expect(files).toEqual([]);
  });

  it('opens no window, assigns, reopens, answers and stores nothing', async () => {
    await world.unitOfWork.autocommit.affected(
      "UPDATE organisations SET auto_inbound = true, auto_reply = 'We are closed' WHERE id = $1",
      [account.organisationId],
    );
    await enrol(world, account, 'Ada Agent');
    await edit('wamid.unknown', 'Hi');
    await revoke('wamid.unknown');
    await write({ type: 'reaction', context_id: 'wamid.unknown' });
    expect(await all()).toEqual([]);
    expect(await kindsOf(world, account)).toEqual([]);
    const { body } = await account.api.get<{ total: number }>('/api/v1/contacts/');
    expect(body.total).toBe(0);
    expect(await stateOf(account, contact)).toMatchObject({ has_conversation: false });
    expect(await unhandledOf(world, account.accountId)).toHaveLength(3);
  });

  describe.each([
    ['edit, then edit again late', ['m', 'e2', 'e1']],
    ['edits repeated', ['m', 'e1', 'e2', 'e1', 'e2', 'e1']],
    ['edits before the message', ['e2', 'e1', 'm']],
    ['edits around the message', ['e1', 'm', 'e2', 'm']],
  ] as const)('ends the same: %s', (_, order) => {
    it('with the latest edit', async () => {
      const [id, now] = [`wamid.${uniqueDigits()}`, secondsAgo(0)];
      const steps = {
        m: () => write({ type: 'text', text: 'One', id, timestamp: now - 90 }),
        e1: () => edit(id, 'Two', { id: `${id}e1`, timestamp: now - 60 }),
        e2: () => edit(id, 'Three', { id: `${id}e2`, timestamp: now - 30 }),
      };
      for (const step of order) await steps[step]();
      expect(await all()).toMatchObject([{ content: 'Three' }]);
      expect(await preview()).toBe('Three');
    });
  });

  it.each([
    [['r', 'm', 'e']],
    [['r', 'e', 'm']],
    [['e', 'r', 'm', 'r']],
    [['m', 'r', 'e', 'r']],
    [['m', 'e', 'r', 'm']],
  ] as const)('stays revoked whatever the order: %j', async (order) => {
    const [id, now] = [`wamid.${uniqueDigits()}`, secondsAgo(0)];
    const steps = {
      m: () => write({ type: 'text', text: 'One', id, timestamp: now - 90 }),
      e: () => edit(id, 'Two', { id: `${id}e`, timestamp: now - 60 }),
      r: () => revoke(id, { id: `${id}r`, timestamp: now - 30 }),
    };
    for (const step of order) await steps[step]();
    expect(await all()).toMatchObject([{ content: '', revoked_at: expect.any(String) }]);
    expect((await kindsOf(world, account)).filter((kind) => kind === 'message.revoked')).toHaveLength(1);
  });

  it('is changed once by a change that is delivered many times at once', async () => {
    await write({ type: 'text', text: 'Hi' });
    const id = `wamid.${uniqueDigits()}`;
    const deliveries = Array.from({ length: 6 }, () => [
      () => edit(id, 'Two', { id: `${id}e` }),
      () => write({ type: 'text', text: 'One', id, timestamp: secondsAgo(5) }),
    ]);
    await crowdOf(deliveries.flat(), (deliver) => deliver());
    expect((await all()).map(({ content }) => content).sort()).toEqual(['Hi', 'Two']);
    expect((await kindsOf(world, account)).filter((kind) => kind === 'message.edited')).toHaveLength(1);
  });

  it.each([
    ['an edit', 'message.edited', { content: 'Two' }],
    ['a revocation', 'message.revoked', { content: '', revoked_at: expect.any(String) }],
  ])('is changed by %s that arrives while the first message of its sender is being stored', async (_, event, shown) => {
    const id = `wamid.${uniqueDigits()}`;
    const session = await ForeignSession.open(world.environment.databaseUrl);
    const waits = async (query: string): Promise<boolean> => {
      const rows = await world.unitOfWork.autocommit.rows(
        `SELECT 1 AS waits FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 IN query) > 0`,
        [query],
      );
      return rows.length > 0;
    };
    let deliveries: Promise<string>[] = [];
    try {
      // Holds the message back shortly before it is stored.
      await session.query('BEGIN');
      await session.query(
        `INSERT INTO network_messages (account_id, network_message_id, message_id, outbound)
         VALUES ($1, $2, gen_random_uuid(), false)`,
        [account.accountId, id],
      );
      const message = write({ type: 'text', text: 'One', id, timestamp: secondsAgo(60) });
      deliveries = [message];
      await until('the message is being stored', () => waits('INSERT INTO messages'));
      let isChanged = false;
      const change = (event === 'message.edited' ? edit(id, 'Two') : revoke(id)).finally(() => {
        isChanged = true;
      });
      deliveries = [message, change];
      await until('the change waits or is over', async () => isChanged || (await waits('pg_advisory_xact_lock')));
    } finally {
      await session.close();
    }
    await Promise.all(deliveries);
    expect(await all()).toMatchObject([shown]);
    expect(await kindsOf(world, account)).toEqual(['message.received', event]);
  });

  it('of somebody else is not changed', async () => {
    const id = await write({ type: 'text', text: 'Mine' });
    contact = uniquePhone();
    await revoke(id);
    expect(await all()).toMatchObject([{ content: 'Mine' }]);
  });

  describe('a reaction', () => {
    it('that is taken back is revoked, and does nothing else', async () => {
      const id = await write({ type: 'text', text: 'Hi', timestamp: secondsAgo(90) });
      await write({ type: 'reaction', context_id: id, emoji: '👍', timestamp: secondsAgo(60) });
      expect((await all())[0]).toMatchObject({
        reaction: { emoji: '👍', message_id: (await all())[1]?.['message_id'] },
      });
      await write({ type: 'reaction', context_id: id, timestamp: secondsAgo(30) });
      const [reaction, message] = await all();
      expect(reaction).toMatchObject({ message_type: 'reaction', content: '', revoked_at: expect.any(String) });
      expect(message).toMatchObject({ content: 'Hi' });
      expect(message).not.toHaveProperty('revoked_at');
      expect(await kindsOf(world, account)).toEqual(['message.received', 'message.received', 'message.revoked']);
    });

    it('that arrives after it was taken back is revoked; one that is put on later stays', async () => {
      const now = secondsAgo(0);
      const id = await write({ type: 'text', text: 'Hi', timestamp: now - 90 });
      await write({ type: 'reaction', context_id: id, timestamp: now - 30 });
      await write({ type: 'reaction', context_id: id, emoji: '👍', timestamp: now - 60 });
      await write({ type: 'reaction', context_id: id, emoji: '🎉', timestamp: now - 10 });
      expect((await all()).map(({ content }) => content)).toEqual(['🎉', '', 'Hi']);
    });

    it('is never answered automatically, unlike a text', async () => {
      await world.unitOfWork.autocommit.affected(
        "UPDATE organisations SET auto_reply = 'We are closed' WHERE id = $1",
        [account.organisationId],
      );
      await write({ type: 'reaction', context_id: 'wamid.unknown', emoji: '👍' });
      await write({ type: 'unsupported' });
      await write({ type: 'unknown' });
      expect((await all()).filter(({ direction }) => direction === 'out')).toEqual([]);
      await write({ type: 'location' });
      expect((await all()).filter(({ direction }) => direction === 'out')).toHaveLength(1);
    });
  });

  it('a post in a group is kept apart from people', async () => {
    await write({ type: 'text', text: 'Hi all', group_id: 'group-1' });
    expect(await all()).toEqual([]);
    expect(await kindsOf(world, account)).toEqual([]);
    expect(await unhandledOf(world, account.accountId)).toMatchObject([{ reason: 'posted in a group' }]);
  });

  it('a notice of the network is no part of the conversation', async () => {
    await write({ type: 'system' });
    const { body } = await account.api.get<{ total: number }>('/api/v1/conversations/');
    expect(body.total).toBe(0);
    expect(await recordOf(account, (await all())[0]?.['message_id'])).toMatchObject({
      message_type: 'system',
      content: 'User changed number',
    });
  });
});
