import { campaignFailures } from './campaign-failures.js';
import { messageStates } from './message-states.js';
import { count, decimal } from './numbers.js';

/** What a change of a thread is about. */
interface ChangeFacts {
  readonly kind: 'assigned' | 'unassigned' | 'resolved' | 'reopened';
  /** Who did it; null when nobody did. */
  readonly actor: string | null;
  readonly isMine: boolean;
  /** Who has the conversation after it, and whether that is the reader. */
  readonly assignee: string | null;
  readonly isToMe: boolean;
  readonly isToActor: boolean;
  readonly previous: string | null;
  readonly isFromMe: boolean;
}

const name = (isMe: boolean, who: string | null): string => (isMe ? 'you' : (who ?? 'somebody'));
const Name = (isMe: boolean, who: string | null): string => (isMe ? 'You' : (who ?? 'Somebody'));
const plural = (value: number, one: string, many: string): string => `${count(value)} ${value === 1 ? one : many}`;

function changed(facts: ChangeFacts): string {
  const { kind, actor, isMine, assignee, isToMe, isToActor, previous, isFromMe } = facts;
  const who = Name(isMine, actor);
  const to = name(isToMe, assignee);
  switch (kind) {
    case 'assigned':
      if (actor === null) return `Assigned to ${to} automatically`;
      return isToActor ? `${who} took this` : `${who} assigned this to ${to}`;
    case 'unassigned':
      if (actor === null) return `Taken from ${name(isFromMe, previous)} automatically`;
      if (previous === null || (isFromMe && isMine) || previous === actor) return `${who} gave this back`;
      return `${who} took this from ${name(isFromMe, previous)}`;
    case 'resolved':
      return actor === null ? 'Resolved automatically' : `${who} resolved this`;
    case 'reopened':
      if (actor === null) return assignee === null ? 'Reopened automatically' : `Reopened automatically, for ${to}`;
      return `${who} reopened this`;
  }
}

const MEGABYTE = 1_000_000;
const KILOBYTE = 1000;

/** Failures of one message for which the words of campaigns don’t fit. */
const OWN_FAILURES: Readonly<Record<number, string>> = {
  100: 'The network did not accept what was in it.',
  131008: 'The network did not accept what was in it.',
  131009: 'The network did not accept what was in it.',
  131021: 'That is your own number.',
  132000: 'A value did not fit the template.',
  132012: 'A value did not fit the template.',
  132018: 'A value did not fit the template.',
  900003: 'The network could not be reached.',
  900004: 'The network asked to wait for too long.',
  900005: 'Its campaign was cancelled before.',
  900008: 'No news for 30 days. They most likely did not get it.',
};

function reason(code: number | null, message: string | null): string {
  const known = code === null ? undefined : campaignFailures[code];
  const own = code === null ? undefined : OWN_FAILURES[code];
  return (
    own ??
    (known === undefined
      ? `${message ?? 'The network gave no reason'}.`.replace(/\.\.$/, '.')
      : `${known.title}. ${known.advice}`)
  );
}

const coded = (text: string, code: number | null): string => (code === null ? text : `${text} (${code})`);

/** The words of a thread. */
export const inboxThreadWords = {
  none: 'Choose a conversation.',
  label: (who: string): string => `Conversation with ${who}`,
  messages: 'The messages',
  pageFailed: 'More of the conversation could not be loaded.',
  retry: 'Try again',
  empty: 'Nothing has been written yet.',
  beginning: 'The conversation begins here.',
  loadingOlder: 'Loading older messages…',
  loadingNewer: 'Loading newer messages…',
  newMessages: (value: number): string => plural(value, 'new message', 'new messages'),
  manyNew: (value: number): string => `${count(value)}+ new messages`,
  toNewest: 'Newest messages',

  today: 'Today',
  yesterday: 'Yesterday',
  windowClosed: (days: number, clock: string, day: string): string =>
    `The window closed ${days === 0 ? 'today' : days === 1 ? 'yesterday' : `on ${day}`} at ${clock}`,

  changed,
  withReason: (text: string, why: string): string => `${text}: “${why}”`,
  note: (who: string): string => `Note by ${who}, not sent`,
  myNote: 'Note by you, not sent',
  pendingNote: 'Note, being added',
  sending: 'Sending…',

  said: (who: string): string => `${who}:`,
  you: 'You',
  we: 'We',
  sentFromPhone: 'Sent from the phone',
  template: (label: string): string => `Template · ${label}`,
  campaign: (label: string): string => `Campaign · ${label}`,
  edited: 'Edited',
  editedAt: (clock: string): string => `Edited ${clock}`,
  deletedByPerson: 'Deleted by the person',
  deletedByUs: 'Deleted on the phone',
  forwarded: 'Forwarded',
  forwardedOften: 'Forwarded many times',
  noText: 'A message without text',

  states: {
    ...messageStates,
    accepted: `${messageStates.accepted} by the network, to check its quality`,
    clicked: `${messageStates.read}, and a button tapped`,
  } as Readonly<Record<string, string>>,
  failed: (code: number | null, message: string | null): string =>
    coded(`${messageStates.failed}. ${reason(code, message)}`, code),
  uncertain: (code: number | null): string =>
    coded('May have been sent. The network never said, so it is not sent again.', code),
  silent: (code: number): string => coded('No news for 30 days. They most likely did not get it.', code),
  knownBy: (clock: string): string => `May have been sent; known by ${clock}`,
  sendAgain: 'Send again',
  sendingAgain: 'Sending…',
  sentAgain: 'Sent again.',
  mayBeSentAgain: 'May have been sent again; the timeline will show it.',

  quoted: 'Quoted message',
  quotedUnknown: 'A message that Parley doesn’t know',
  quotedGone: 'The quoted message is no longer here.',
  product: (id: string): string => `About the product ${id}`,
  adFrom: 'Came from an ad',
  postFrom: 'Came from a post',
  adLink: 'Open the ad',

  reacted: (who: string | null, emoji: string): string => `${who ?? 'You'} reacted with ${emoji}`,
  /** “Actions for this message: Rui Almendro, 12:13” */
  actions: (who: string | null, clock: string): string => `Actions for this message: ${who ?? 'You'}, ${clock}`,
  reply: 'Reply',
  copy: 'Copy text',
  copied: 'The text is copied.',
  notCopied: 'The browser doesn’t let this page copy. Select the text in the message instead.',
  react: (emoji: string): string => `React with ${emoji}`,
  unreact: (emoji: string): string => `Take back ${emoji}`,
  closedForReactions: 'Replies and reactions need an open window.',

  kinds: {
    image: 'Photo',
    video: 'Video',
    audio: 'Audio',
    voice: 'Voice message',
    document: 'Document',
    sticker: 'Sticker',
    location: 'Location',
    contacts: 'Contact',
    order: 'Order',
    template: 'Template',
  } as Readonly<Record<string, string>>,
  otherKind: 'Message',
  media: {
    open: (kind: string): string => `${kind}: open in a new tab`,
    download: 'Download',
    pending: (kind: string): string => `${kind}, still on its way from the network`,
    load: 'Load now',
    gone: (kind: string): string => `${kind}, no longer available`,
    tooLarge: (kind: string): string => `${kind}, too large to be kept`,
    refused: (kind: string): string => `${kind}, not handed over by the network`,
    failed: (kind: string): string => `${kind}, could not be loaded`,
    linked: (host: string): string => `Open at ${host}`,
    size: (bytes: number): string =>
      bytes >= MEGABYTE
        ? `${decimal(bytes / MEGABYTE)} MB`
        : bytes >= KILOBYTE
          ? `${count(Math.round(bytes / KILOBYTE))} KB`
          : `${count(bytes)} B`,
  },
  place: { map: 'Show on the map', coordinates: (north: number, east: number): string => `${north}, ${east}` },
  card: { unnamed: 'Contact', more: (value: number): string => `and ${count(value)} more` },
  order: { item: 'Item', quantity: 'Number', price: 'Price', total: 'Total', caption: 'Order' },
  form: { filled: 'Filled in a form', empty: 'The form was empty.' },
  chose: 'Chose',
  asksLocation: 'Asks for their location',
  calls: { accept: 'Allows you to call', reject: 'Does not want to be called' } as Readonly<Record<string, string>>,
  listOf: (value: number): string => plural(value, 'choice', 'choices'),
  call: (number: string): string => `Call ${number}`,
  code: (code: string): string => `Code ${code}`,
  unsupported: 'Something that WhatsApp doesn’t pass on. The phone shows it.',
  unsupportedKind: (kind: string): string => `Something that WhatsApp doesn’t pass on (${kind}). The phone shows it.`,
  unknownKind: (kind: string): string => `A kind of message that Parley can’t show yet (${kind}).`,
} as const;
