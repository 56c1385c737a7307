import type { PhoneNumber } from '../values/phone-number.js';

/** An unassigned number: 555 is not an area code. The simulator gives it no special behaviour. */
export const CUSTOMER: PhoneNumber = '15559990100';

/** The inbound types that need no further options. */
export const INBOUND_TYPES = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'order',
  'unsupported',
  'unknown',
];

/** A message to a number whose last digits select the simulator's behaviour. */
export interface SendPlan {
  readonly description: string;
  /** The last digits of the recipient's number; empty for any number. */
  readonly ending: string;
  /** What the simulator does with such numbers. */
  readonly because: string;
  /** The default recipient. */
  readonly to: PhoneNumber;
  /** The timeline step to wait for. */
  readonly until: 'sent' | 'delivered' | 'read' | 'failed' | 'clicked';
  /** Whether to wait for the contact's answer too. */
  readonly isAnswered?: true;
  /** The events delivered by then. */
  readonly events: readonly string[];
}

const RECEIVED = ['message.sent', 'message.delivered', 'message.read'];

/** What a contact does with an earlier message, or elsewhere than in a conversation. */
export interface PersonPlan {
  readonly description: string;
  /** The message to which it refers, which is sent first: one of ours, or one of the contact's. */
  readonly refersTo?: 'ours' | 'theirs';
  /** The field that names that message. */
  readonly reference?: 'context_id' | 'original_message_id';
  /** The call of the simulator. */
  readonly path: '/_sim/inbound' | '/_sim/echoes';
  /** The bodies of the calls, in order. */
  readonly steps: readonly Readonly<Record<string, unknown>>[];
  /** The events delivered by then. */
  readonly events: readonly string[];
}

/** What `trigger` sends, by command name. */
export const SEND_TRIGGERS: Readonly<Record<string, SendPlan>> = {
  sent: {
    description: 'Send a message and wait until the network accepts it: message.sent, with more to follow',
    ...{ ending: '', because: '', to: CUSTOMER },
    until: 'sent',
    events: ['message.sent'],
  },
  delivered: {
    description: 'Send a message that is delivered and never read: message.sent, message.delivered',
    ...{ ending: '9990003', because: 'the simulator never reads messages to those numbers', to: '15559990003' },
    until: 'delivered',
    events: ['message.sent', 'message.delivered'],
  },
  read: {
    description: 'Send a message that is read: message.sent, message.delivered, message.read',
    ...{ ending: '', because: '', to: CUSTOMER },
    until: 'read',
    events: RECEIVED,
  },
  failed: {
    description: 'Send a message that is accepted but then fails: message.sent, message.failed (131026)',
    ...{ ending: '9990001', because: 'the simulator fails messages to those numbers', to: '15559990001' },
    until: 'failed',
    events: ['message.sent', 'message.failed'],
  },
  reply: {
    description: 'Send a message whose reader answers “hello”: also message.received, message.reply',
    ...{ ending: '9990004', because: 'the simulator answers from those numbers', to: '15559990004' },
    until: 'read',
    isAnswered: true,
    events: [...RECEIVED, 'message.received', 'message.reply'],
  },
  clicked: {
    description: 'Send a message whose reader taps a button: also button.clicked, message.received, message.reply',
    ...{ ending: '9990005', because: 'the simulator taps the first button for those numbers', to: '15559990005' },
    until: 'clicked',
    events: [...RECEIVED, 'message.received', 'message.reply', 'button.clicked'],
  },
};

const ANSWER = { refersTo: 'ours', reference: 'context_id', path: '/_sim/inbound' } as const;
const CHANGE = { refersTo: 'theirs', reference: 'original_message_id', path: '/_sim/inbound' } as const;
const ROW = { row_id: 'row-1', title: 'First row', description: 'The first of the list' };

/** What contacts do on `trigger`, by command name. */
export const PERSON_TRIGGERS: Readonly<Record<string, PersonPlan>> = {
  picked: {
    ...ANSWER,
    description: 'A contact picks a row of a list: message.received, message.reply',
    steps: [{ type: 'list_reply', ...ROW }],
    events: [...RECEIVED, 'message.received', 'message.reply'],
  },
  filled: {
    ...ANSWER,
    description: 'A contact fills in a form: message.received, message.reply',
    steps: [{ type: 'nfm_reply' }],
    events: [...RECEIVED, 'message.received', 'message.reply'],
  },
  reacted: {
    ...ANSWER,
    description: 'A contact reacts with 👍: message.received, message.reply',
    steps: [{ type: 'reaction', emoji: '👍' }],
    events: [...RECEIVED, 'message.received', 'message.reply'],
  },
  unreacted: {
    ...ANSWER,
    description: 'A contact reacts and takes it back: message.received, message.reply, message.revoked',
    steps: [{ type: 'reaction', emoji: '👍' }, { type: 'reaction' }],
    events: [...RECEIVED, 'message.received', 'message.reply', 'message.revoked'],
  },
  edited: {
    ...CHANGE,
    description: 'A contact edits a message: message.received, message.edited',
    steps: [{ type: 'edit', text: 'Hello again' }],
    events: ['message.received', 'message.edited'],
  },
  revoked: {
    ...CHANGE,
    description: 'A contact deletes a message for everyone: message.received, message.revoked',
    steps: [{ type: 'revoke' }],
    events: ['message.received', 'message.revoked'],
  },
  posted: {
    description: 'A contact writes in a group, of which no webhook tells',
    path: '/_sim/inbound',
    steps: [{ type: 'text', text: 'Hello, everybody', group_id: 'parley-trigger' }],
    events: [],
  },
  echoed: {
    description: 'Somebody writes to a contact from the phone app, of which no webhook tells',
    path: '/_sim/echoes',
    steps: [{ type: 'text', text: 'Written on the phone' }],
    events: [],
  },
};
