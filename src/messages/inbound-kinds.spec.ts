import fc from 'fast-check';
import type { JsonObject } from '../values/network-json.js';
import { contextOf, editedPayload, readMessage, referralOf } from './inbound-kinds.js';
import { partsOf } from './message-parts.js';
import { isTooDeep, storedPayload } from './storable-payload.js';

const TYPES = [
  ...['text', 'image', 'video', 'audio', 'document', 'sticker', 'location', 'contacts', 'order', 'button'],
  ...['interactive', 'reaction', 'edit', 'revoke', 'system', 'unsupported', 'constructor', '__proto__', 'toString', ''],
];
const ROLES = ['answered', 'heard', 'notice', 'edit', 'revoke', 'unreact'];
const NAMES = [
  ...['id', 'body', 'caption', 'latitude', 'longitude', 'name', 'phones', 'product_items', 'item_price', 'payload'],
  ...['text', 'type', 'list_reply', 'button_reply', 'nfm_reply', 'response_json', 'message_id', 'emoji', 'message'],
  ...['context', 'forwarded', 'referred_product', 'original_message_id', 'title', 'quantity', '__proto__'],
];

/** Objects with the names that readers look for, and any values. */
const anything = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.array(tie('value')), tie('object')),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('value'), { noNullPrototype: true }),
}));

const messages = fc
  .tuple(
    fc.oneof(fc.constantFrom(...TYPES), fc.string(), fc.jsonValue()),
    fc.dictionary(fc.oneof(fc.constantFrom(...TYPES, 'context', 'referral'), fc.string()), anything.value as never, {
      noNullPrototype: true,
    }),
  )
  .map(([type, rest]): JsonObject => ({ ...rest, type }));

const sources = { messageId: 'm', media: null, idOf: () => null };

describe('a message of the network', () => {
  it('is read whatever it contains, never loses what it says, and always has a preview', () => {
    fc.assert(
      fc.property(messages, (message) => {
        const read = readMessage(message);
        expect(ROLES).toContain(read.role);
        expect(read.preview).not.toBe('');
        expect(read.messageType).not.toBe('');
        const parts = partsOf(message, read, sources);
        const isKept = read.content !== '' || Object.keys(parts).length > 0;
        expect(isKept).toBe(true);
        expect(`${JSON.stringify(parts)}${read.content}`.isWellFormed()).toBe(true);
        contextOf(message);
        referralOf(message);
        editedPayload(message, message);
      }),
      { numRuns: 300 },
    );
  });

  it('that is nested deeply is stored without its depths', () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 20_000; level += 1) deep = { deep };
    const message = { type: 'hologram', id: 'wamid.1', hologram: deep };
    expect(isTooDeep(storedPayload(message))).toBe(false);
    expect(readMessage(message)).toMatchObject({ messageType: 'hologram', role: 'heard', preview: 'Message' });
    const shallow = { type: 'text', text: { body: 'Hi' } };
    expect(storedPayload(shallow)).toBe(shallow);
  });

  it.each([
    ['text', 'answered', { text: { body: 'Hi' } }],
    ['reaction', 'heard', { reaction: { message_id: 'w', emoji: '👍' } }],
    ['reaction', 'unreact', { reaction: { message_id: 'w' } }],
    ['edit', 'edit', { edit: { original_message_id: 'w' } }],
    ['revoke', 'revoke', { revoke: { original_message_id: 'w' } }],
    ['system', 'notice', { system: { body: 'x' } }],
    ['unsupported', 'heard', { unsupported: { type: 'poll' } }],
    ['hologram', 'heard', { hologram: {} }],
    ['interactive', 'answered', { interactive: { type: 'list_reply', list_reply: { id: 'a' } } }],
  ])('of type %s is %s', (type, role, rest) => {
    expect(readMessage({ type, ...rest }).role).toBe(role);
  });

  it('with a form that is not JSON is kept as it arrived', () => {
    const interactive = { type: 'nfm_reply', nfm_reply: { name: 'flow', body: 'Sent', response_json: '{' } };
    const { messageType, contents } = readMessage({ type: 'interactive', interactive });
    expect([messageType, contents.raw]).toEqual(['nfm_reply', { type: 'interactive', interactive }]);
  });
});
