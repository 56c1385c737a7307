/** A kind of message that people send: the body for `/_sim/inbound`, and what the business receives. */
export interface InboundKind {
  readonly input: Readonly<Record<string, unknown>> & { readonly type: string };
  /** The network's type, which is also the name of the field with the content. */
  readonly type: string;
}

const plain = (type: string, more: object = {}): InboundKind => ({ input: { type, ...more }, type });
const interactive = (type: string, more: object = {}): InboundKind => ({
  input: { type, ...more },
  type: 'interactive',
});
const original = { original_message_id: 'wamid.o' };
const target = { context_id: 'wamid.x' };

/** Every kind of message that people send. */
export const EVERY_KIND: readonly InboundKind[] = [
  plain('text', { text: 'Grüße' }),
  plain('image', { media: { caption: 'Look' } }),
  plain('video'),
  plain('audio', { voice: true }),
  plain('document', { media: { filename: 'a.pdf' } }),
  plain('sticker', { animated: true }),
  plain('location'),
  plain('contacts'),
  plain('order'),
  plain('button', { payload: 'YES', ...target }),
  interactive('button_reply', { button_id: 'a', ...target }),
  interactive('list_reply', { row_id: 'a', ...target }),
  interactive('nfm_reply', { text: undefined, response_json: '{"flow_token":"t","first_name":"Ada"}' }),
  interactive('call_permission_reply'),
  plain('reaction', { emoji: '👍', ...target }),
  plain('reaction', target),
  plain('edit', { text: 'Better', ...original }),
  plain('revoke', original),
  plain('unsupported', { subtype: 'poll' }),
  { input: { type: 'unknown', kind: 'hologram' }, type: 'hologram' },
];
