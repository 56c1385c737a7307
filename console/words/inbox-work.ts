import { count } from './numbers.js';

/** From here on nobody counts. */
const MAX_COUNTED = 1000;

const people = (number: number): string => (number === 1 ? '1 person' : `${counted(number)} people`);

/** “7”, or “1,000+” where nobody counts on. */
export const counted = (number: number): string => (number >= MAX_COUNTED ? `${count(MAX_COUNTED)}+` : count(number));

/** The words of handing conversations on, and of what waits. */
export const inboxWorkWords = {
  back: 'Back to the list',
  details: 'Details',
  to: (number: string): string => `to ${number}`,

  assignee: {
    you: 'You',
    nobody: 'Nobody',
    assign: 'Assign',
    button: (name: string): string => `Assigned to: ${name}. Change`,
    list: 'Assign to',
    loading: 'Reading who is there…',
    failed: 'The list of colleagues',
    withNote: 'Hand over with a note…',
  },

  /** What may not load. */
  parts: {
    composer: 'The field for answers',
    messages: 'The messages',
    person: 'The person',
    start: 'The form for a new conversation',
  },

  take: 'Take',
  takeFrom: (name: string): string => `Take from ${name}`,
  resolve: 'Resolve',
  reopen: 'Reopen',

  handOver: {
    title: (contact: string): string => `Hand over ${contact}`,
    whom: 'To whom',
    choose: 'Choose a colleague',
    note: 'Note',
    hint: 'For your colleagues only. It stands in the conversation and is never sent.',
    tooLong: (characters: number, most: number): string =>
      `${count(characters)} characters. At most ${count(most)} fit.`,
    nobody: 'Choose to whom.',
    submit: 'Hand over',
    busy: 'Handing over…',
    cancel: 'Not now',
  },

  outcome: {
    overtaken: (name: string): string => `${name} was first and has this conversation now.`,
    somebody: 'A colleague',
    resolvedMeanwhile: 'It was resolved meanwhile. Reopen it to hand it on.',
    notActive: (name: string): string => `${name} can no longer be assigned. Choose somebody else.`,
    unknown: 'Parley has not answered whether that took effect. Look again in a moment.',
    back: (reason: string): string => `Nothing was changed. ${reason}`,
  },

  said: {
    resolved: (name: string): string => `${name} is resolved.`,
    resolvedLast: (name: string): string => `${name} is resolved. Nobody else waits in this list.`,
    reopened: (name: string): string => `${name} is open again.`,
    notReopened: (name: string, reason: string): string => `${name} may still be resolved. ${reason}`,
  },

  letters: {
    assign: 'Assign a conversation',
    take: 'Take a conversation',
    resolve: 'Resolve and go on',
    reopen: 'Reopen a conversation',
    start: 'New conversation',
  },

  start: 'New conversation',
  none: 'Choose a conversation.',

  waiting: (all: number, mine: number): string =>
    mine > 0 && mine < all ? `${waits(all)}, ${counted(mine)} of them for you` : waits(all),

  notification: {
    title: (number: number): string =>
      number === 1 ? 'Somebody waits for an answer' : `${people(number)} wait for an answer`,
  },
} as const;

const waits = (number: number): string => `${people(number)} ${number === 1 ? 'waits' : 'wait'}`;
