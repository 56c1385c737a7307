import type { PhoneNumber } from '../values/phone-number.js';

/** A number that nobody has: 555 is no area code. On the simulator nothing special happens to it. */
export const CUSTOMER: PhoneNumber = '15559990100';

/** What a contact can send without more said about it. */
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
];

/** A message to a number whose last digits tell the simulator what becomes of it. */
export interface SendPlan {
  readonly description: string;
  /** What the recipient's number ends in; empty when any will do. */
  readonly ending: string;
  /** What the simulator does with such numbers. */
  readonly because: string;
  /** The usual recipient. */
  readonly to: PhoneNumber;
  /** The step of the message's timeline that is waited for. */
  readonly until: 'sent' | 'delivered' | 'read' | 'failed' | 'clicked';
  /** Whether the contact's answer is waited for too. */
  readonly isAnswered?: true;
  /** What webhooks tell by then. */
  readonly events: readonly string[];
}

const RECEIVED = ['message.sent', 'message.delivered', 'message.read'];

/** What `trigger` sends, by the name of the command. */
export const SEND_TRIGGERS: Readonly<Record<string, SendPlan>> = {
  sent: {
    description: 'Send a message, and wait until the network has accepted it: message.sent, and more soon',
    ...{ ending: '', because: '', to: CUSTOMER },
    until: 'sent',
    events: ['message.sent'],
  },
  delivered: {
    description: 'Send a message that is delivered and never read: message.sent, message.delivered',
    ...{ ending: '9990003', because: 'those never read', to: '15559990003' },
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
    description: 'Send a message that fails after it was accepted: message.sent, message.failed (131026)',
    ...{ ending: '9990001', because: 'messages to those fail', to: '15559990001' },
    until: 'failed',
    events: ['message.sent', 'message.failed'],
  },
  reply: {
    description: 'Send a message whose reader answers “hello”: also message.received, message.reply',
    ...{ ending: '9990004', because: 'those answer', to: '15559990004' },
    until: 'read',
    isAnswered: true,
    events: [...RECEIVED, 'message.received', 'message.reply'],
  },
  clicked: {
    description: 'Send a message whose reader taps a button: also button.clicked, message.received, message.reply',
    ...{ ending: '9990005', because: 'those tap the first button', to: '15559990005' },
    until: 'clicked',
    events: [...RECEIVED, 'message.received', 'message.reply', 'button.clicked'],
  },
};
