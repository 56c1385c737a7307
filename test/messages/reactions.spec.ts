import { changeOf } from '../inbound/inbound.js';
import { uniqueDigits } from '../support/test-account.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { sendCampaign } from './campaign-messages.js';
import { eventsOf, kindsOf, recordOf, SEND_MESSAGE, secondsAgo } from './messages.js';

interface Reacted {
  readonly message_id: string;
  readonly message_type: string;
  readonly content: string;
  readonly network_message_id: string;
  readonly reactions: readonly { readonly emoji: string; readonly by: string; readonly at: string }[];
}

describe('reactions', () => {
  let world: World;
  let account: TestAccount;
  let contact: string;
  /** When the test began, unix seconds: reactions are put on and removed in the order of their times. */
  let now: number;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    account = await world.account();
    contact = uniquePhone();
    now = secondsAgo(0);
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
  const react = (context_id: string, emoji: string | undefined, ago: number) =>
    write({ type: 'reaction', context_id, emoji, timestamp: now - ago });
  const thread = async (query = ''): Promise<Reacted[]> =>
    (await account.api.get<{ messages: Reacted[] }>(`/api/v1/conversations/${contact}/messages${query}`)).body.messages;
  const send = async (fields: Record<string, unknown>): Promise<Reacted> => {
    const { body, status, text } = await account.api.post<{ message_id: string }>(SEND_MESSAGE, {
      contact_phone: contact,
      ...fields,
    });
    if (status !== 200) throw new Error(text);
    return record(body.message_id);
  };
  const record = async (id: string): Promise<Reacted> => (await recordOf(account, id)) as unknown as Reacted;
  const text = () => send({ message_type: 'text', message: 'Here it is' });
  const shown = async (): Promise<unknown[]> =>
    (await thread()).map(({ content, reactions }) => [content, ...reactions.map(({ emoji, by }) => `${by} ${emoji}`)]);

  it('of the contact are shown with the message, and are no entries of the thread; events tell them', async () => {
    await write({ type: 'text', text: 'Hi', timestamp: secondsAgo(90) });
    const { network_message_id, message_id } = await text();
    const at = secondsAgo(0);
    await write({ type: 'reaction', context_id: network_message_id, emoji: '👍', timestamp: at });
    expect(await thread()).toMatchObject([
      {
        message_id,
        content: 'Here it is',
        reactions: [{ emoji: '👍', by: 'contact', at: new Date(at * 1000).toISOString() }],
      },
      { content: 'Hi', reactions: [] },
    ]);
    expect(await thread()).toHaveLength(2);
    expect(await record(message_id)).toEqual((await thread())[0]);
    const list = await account.api.get<{ messages: Reacted[]; total: number }>('/api/v1/messages/');
    expect(list.body.messages.map(({ message_type }) => message_type)).toContain('reaction');
    const { body } = await account.api.get(`/api/v1/conversations/${contact}/messages`);
    expect(body['total']).toBe(2);
    expect((await kindsOf(world, account)).filter((kind) => kind === 'message.received')).toHaveLength(2);
    expect(await eventsOf(world, account)).toContainEqual(
      expect.objectContaining({
        event: 'message.reply',
        reply: expect.objectContaining({ reaction: { message_id, emoji: '👍' } }),
      }),
    );
  });

  it('of one side replace each other, and go when they are taken back, whatever their order', async () => {
    const id = await write({ type: 'text', text: 'Hi', timestamp: secondsAgo(90) });
    await react(id, '🎉', 40);
    await react(id, '👍', 60);
    expect(await shown()).toEqual([['Hi', 'contact 🎉']]);
    await react(id, undefined, 50);
    expect(await shown()).toEqual([['Hi', 'contact 🎉']]);
    await react(id, undefined, 30);
    expect(await shown()).toEqual([['Hi']]);
    await react(id, '❤️', 20);
    expect(await shown()).toEqual([['Hi', 'contact ❤️']]);
  });

  it('of both sides are shown together, the latest first; a removed and a failed one of ours are not', async () => {
    const id = await write({ type: 'text', text: 'Hi', timestamp: secondsAgo(90) });
    const [{ message_id } = { message_id: '' }] = await thread();
    await react(id, '👍', 60);
    const reaction = (emoji: string) => send({ message_type: 'reaction', reaction: { message_id, emoji } });
    await reaction('🙏');
    expect(await shown()).toEqual([['Hi', 'business 🙏', 'contact 👍']]);
    await reaction('');
    expect(await shown()).toEqual([['Hi', 'contact 👍']]);
    const { message_id: failed } = await reaction('😀');
    expect(await shown()).toEqual([['Hi', 'business 😀', 'contact 👍']]);
    await world.unitOfWork.autocommit.affected(
      "UPDATE messages SET status = 'failed', failed_at = now() WHERE account_id = $1 AND id = $2",
      [account.accountId, failed],
    );
    // The one before removes what was there.
    expect(await shown()).toEqual([['Hi', 'contact 👍']]);
  });

  it('made with the phone app are those of the business', async () => {
    const id = await write({ type: 'text', text: 'Hi', timestamp: secondsAgo(90) });
    const echo = (ago: number, reaction: object) =>
      world.simulator.callback(
        'smb_message_echoes',
        changeOf(account.phone, {
          message_echoes: [
            {
              from: '15550000000',
              to: contact,
              id: `wamid.${uniqueDigits()}`,
              timestamp: String(now - ago),
              type: 'reaction',
              reaction,
            },
          ],
        }),
      );
    await echo(30, { message_id: id, emoji: '👏' });
    expect(await shown()).toEqual([['Hi', 'business 👏']]);
    await echo(20, { message_id: id });
    expect(await shown()).toEqual([['Hi']]);
  });

  it('to a message of their own are not taken for answers to a campaign, and only the named message shows them', async () => {
    const own = await write({ type: 'text', text: 'Mine', timestamp: secondsAgo(90) });
    await sendCampaign(world, account, [contact]);
    await react(own, '👍', 0);
    expect(await shown()).toEqual([['Hello from the test'], ['Mine', 'contact 👍']]);
  });

  it('that older releases noted at another message are not shown there', async () => {
    const own = await write({ type: 'text', text: 'Mine', timestamp: secondsAgo(90) });
    const { message_id: other } = await text();
    await react(own, '👍', 0);
    await world.unitOfWork.autocommit.affected(
      "UPDATE messages SET context_message_id = $2 WHERE account_id = $1 AND message_type = 'reaction'",
      [account.accountId, other],
    );
    expect(await shown()).toEqual([['Here it is'], ['Mine']]);
  });

  it('are no part of a page of a thread', async () => {
    for (let index = 0; index < 3; index += 1) {
      const id = await write({ type: 'text', text: String(index), timestamp: secondsAgo(90 - index) });
      await react(id, '👍', 50 - index);
    }
    const first = await account.api.get<{ messages: Reacted[]; next_cursor: string }>(
      `/api/v1/conversations/${contact}/messages?limit=2&cursor=`,
    );
    expect(first.body.messages.map(({ content }) => content)).toEqual(['2', '1']);
    const rest = await thread(`?limit=2&cursor=${first.body.next_cursor}`);
    expect(rest.map(({ content, reactions }) => [content, reactions.length])).toEqual([['0', 1]]);
  });

  it('go with the person', async () => {
    const id = await write({ type: 'text', text: 'Hi', timestamp: secondsAgo(90) });
    await react(id, '👍', 60);
    const [{ message_id } = { message_id: '' }] = await thread();
    const { body } = await account.api.get<{ message_record: { contact_id: string } }>(
      `/api/v1/messages/${message_id}`,
    );
    await account.api.delete(`/api/v1/contacts/${body.message_record.contact_id}?erase=true`);
    expect((await record(message_id)).reactions).toEqual([]);
  });
});
