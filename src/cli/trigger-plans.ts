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
