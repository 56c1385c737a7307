import { createHash } from 'node:crypto';
import { userIdOf } from '../../simulator/callbacks/user-ids.js';
import { inboundMessageId, messageId, readMessageId, scopedTo } from '../../simulator/people/message-ids.js';
import { until } from '../support/until.js';
import type { CallbackReceiver } from './callback-receiver.js';
import { CUSTOMER, SimulatedNetwork } from './simulated-network.js';

const BY_NUMBER = 'wamid.HBgMMjAxMDAxMjM0NTAxFQIAERgSNjE3RDU2M0YyNkY3NUQ5MUUyAA==';
const BY_USER_ID = 'wamid.HBgTRUcuMTQ0MjAwMDAwMDAwMDAwMRUUABEYEjYxN0Q1NjNGMjZGNzVEOTFFMgA=';
const TOKEN = '617D563F26F75D91E2';
const HIDDEN = 'US.13491208655302741918';

describe('message ids of the simulated network', () => {
  it('have the layout of real ids', () => {
    const ours = { isOurs: true, token: TOKEN };
    expect(readMessageId(BY_NUMBER)).toEqual({ ...ours, peer: '201001234501' });
    expect(readMessageId(BY_USER_ID)).toEqual({ ...ours, peer: 'EG.1442000000000001' });
    expect(messageId({ ...ours, peer: '201001234501' })).toBe(BY_NUMBER);
    expect(scopedTo('EG.1442000000000001', BY_NUMBER)).toBe(BY_USER_ID);
    expect(scopedTo('201001234501', BY_USER_ID)).toBe(BY_NUMBER);
  });

  it('have room for the longest user id', () => {
    const parts = { peer: `US.${'x'.repeat(128)}`, isOurs: false, token: TOKEN };
    expect(readMessageId(messageId(parts))).toEqual(parts);
  });

  it.each(['', 'wamid.', 'wamid.mine', 'wamid.HBgL', 'HBgMMjAxMDAxMjM0NTAxFQIAERgSNjE3RDU2M0YyNkY3NUQ5MUUyAA=='])(
    'are not recognised in %j',
    (id) => {
      expect(readMessageId(id)).toBeNull();
      expect(scopedTo(CUSTOMER, id)).toBeNull();
    },
  );

  it('are not recognised when they are truncated', () => {
    for (let length = BY_NUMBER.length - 4; length > 0; length -= 4)
      expect(readMessageId(BY_NUMBER.slice(0, length))).toBeNull();
  });

  it('are new for each inbound message, and derived from a seed', () => {
    expect(inboundMessageId(CUSTOMER)).not.toBe(inboundMessageId(CUSTOMER));
    const token = createHash('sha256').update('seed').digest('hex').slice(0, 20).toUpperCase();
    expect(readMessageId(inboundMessageId(CUSTOMER, 'seed'))).toEqual({ peer: CUSTOMER, isOurs: false, token });
  });

  describe('in use', () => {
    let network: SimulatedNetwork;
    let receiver: CallbackReceiver;

    beforeAll(async () => {
      network = await SimulatedNetwork.start();
      receiver = network.receiver;
    });
    afterAll(() => network.stop());
    beforeEach(async () => {
      await network.reset();
      await network.inbound(CUSTOMER);
      receiver.callbacks.length = 0;
    });

    const user = userIdOf(CUSTOMER);
    const newest = () => receiver.messages.at(-1) as { context?: { id: string }; reaction?: { message_id: string } };

    it('name the person, and have a token of their own', async () => {
      await network.behave({ statuses: [] });
      const ids = [];
      for (let i = 0; i < 200; i += 1) ids.push(await network.sendText(CUSTOMER));
      const parts = ids.map(readMessageId);
      expect(parts.every((each) => each?.peer === CUSTOMER && each.isOurs)).toBe(true);
      expect(parts.every((each) => /^[0-9A-F]{18}$/.test(each?.token ?? ''))).toBe(true);
      // Neither the start nor the end of a token can be guessed from the one before.
      expect(new Set(parts.map((each) => each?.token.slice(0, 8))).size).toBe(200);
      expect(new Set(parts.map((each) => each?.token.slice(-8))).size).toBe(200);
    });

    it('name a person by user id who is addressed by it, or hides the number', async () => {
      const toUser = await network.send({ to: undefined, recipient: user, type: 'text', text: { body: 'hi' } });
      expect(readMessageId(toUser)).toMatchObject({ peer: user, isOurs: true });
      expect(readMessageId((await network.inbound(CUSTOMER)).id)).toMatchObject({ peer: CUSTOMER, isOurs: false });
      expect(readMessageId((await network.inbound(HIDDEN)).id)).toMatchObject({ peer: HIDDEN, isOurs: false });
    });

    it.each([
      ['a reply', { type: 'text' }],
      ['a tap on a template', { type: 'button', payload: 'Yes' }],
      ['a tap on a reply button', { type: 'button_reply', button_id: 'yes' }],
      ['a reaction', { type: 'reaction', emoji: '👍' }],
    ])('are scoped to the user id in %s on request', async (_what, more) => {
      const context_id = await network.sendText(CUSTOMER);
      const named = async (scope: object) => {
        await network.inbound(CUSTOMER, { ...more, context_id, ...scope });
        const { context, reaction } = newest();
        return context?.id ?? reaction?.message_id;
      };
      expect(await named({})).toBe(context_id);
      expect(await named({ context_scope: 'user_id' })).toBe(scopedTo(user, context_id));
      await network.behave({ context_scope: 'user_id' });
      expect(await named({})).toBe(scopedTo(user, context_id));
      expect(await named({ context_scope: 'as_given' })).toBe(context_id);
    });

    it('are scoped to the user id in automatic taps too', async () => {
      const to = '49159990005';
      await network.inbound(to);
      await network.behave({ context_scope: 'user_id' });
      const action = { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] };
      const id = await network.send({
        to,
        type: 'interactive',
        interactive: { type: 'button', body: { text: '?' }, action },
      });
      await until('the customer taps', () => receiver.messages.some(({ type }) => type === 'interactive'));
      expect(newest().context?.id).toBe(scopedTo(userIdOf(to), id));
    });

    it('stay as they are when they have another layout, unless the call asks for a scope (400)', async () => {
      await network.behave({ context_scope: 'user_id' });
      await network.inbound(CUSTOMER, { context_id: 'wamid.theirs' });
      expect(newest().context?.id).toBe('wamid.theirs');
      for (const more of [{ context_scope: 'user_id', context_id: 'wamid.theirs' }, { context_scope: 'thread' }]) {
        expect(await network.inbound(CUSTOMER, more)).toMatchObject({ error: 'bad_request' });
      }
    });
  });
});
