import { messageStates } from './message-states.js';
import { count } from './numbers.js';
import { clock, duration, type Moment } from './times.js';

/** The service counts no further in lists with a filter. */
const MAX_COUNT = 10_000;
const MS_PER_DAY = 86_400_000;
const DAYS_OF_WEEK = 7;

/** “9,640”, and “10,000+” from where the service stops counting. */
const atMost = (total: number): string => (total < MAX_COUNT ? count(total) : `${count(MAX_COUNT)}+`);

/** The words of the inbox’s list. */
export const inboxListWords = {
  title: 'Inbox',
  list: 'The list of conversations',
  name: 'Conversations',
  views: {
    label: 'Which conversations',
    mine: 'Mine',
    unassigned: 'Unassigned',
    all: 'All',
    resolved: 'Resolved',
    /** A view with its number, which tells what is listed: whoever is open, or waits. */
    counted: (name: string, total: number, waits: boolean): string =>
      `${name}, ${atMost(total)} ${waits ? 'waiting' : 'open'}`,
  },
  count: atMost,
  search: { label: 'Search conversations', hint: 'Name or number' },
  found: (total: number): string => `${atMost(total)} found`,
  order: {
    label: (chosen: string): string => `Order: ${chosen}`,
    last_inbound: 'Last to write first',
    longest_waiting: 'Longest waiting',
  },
  phones: {
    label: (chosen: string): string => `Business phone: ${chosen}`,
    all: 'All phones',
  },
  keys: { next: 'Next conversation', previous: 'Previous conversation', search: 'Search conversations' },
  fresh: (number: number): string => `${count(number)} new`,
  /** Before what was said on this side. */
  you: 'You:',
  /** The same, where it did not arrive and the person still waits. */
  lost: `${messageStates.failed}:`,
  /** Before what somebody has written here and the conversation does not have. */
  begun: { draft: 'Draft:', sending: 'Sending:', refused: 'Not sent:', unknown: 'May have been sent:' },
  /** Before the time of the last message that the person wrote, for those who don’t see the order of the list. */
  wrote: 'Last wrote:',
  waiting: (seconds: number): string => `Waiting ${seconds < 100 ? '1 min' : duration(seconds)}`,
  window: {
    hours: (hours: number): string => `${count(hours)} h left`,
    toWrite: 'to write',
    soon: (seconds: number): string => `${seconds < 100 ? '1 min' : duration(seconds)} left`,
    closed: 'Window closed',
  },
  statuses: { ...messageStates, clicked: messageStates.read } as Readonly<Record<string, string>>,
  assigned: (name: string): string => `Assigned to ${name}`,
  nobody: 'Assigned to nobody',
  erased: 'Erased person',
  empty: {
    never: 'Nobody has written yet. New messages appear here by themselves.',
    mine: 'Nobody waits for you.',
    mineHint: 'Conversations that you take or are given appear here.',
    /** A link to those whom nobody has. */
    toUnassigned: (number: number): string =>
      number === 1 ? '1 conversation has nobody yet' : `${atMost(number)} conversations have nobody yet`,
    unassigned: 'No open conversation is left without somebody.',
    all: 'No conversation is open. New messages appear here by themselves.',
    resolved: 'No conversation is resolved.',
    waiting: 'Nobody waits for an answer.',
    search: (view: string): string => `No conversation in ${view} matches.`,
    searched: 'Only names and numbers are searched.',
    clear: 'Clear search',
  },
  /** What an order leaves out, and the way to it. */
  leftOut: {
    waiting: 'Conversations in which nobody waits are not shown.',
    showAll: 'Show all, newest first',
  },
  /** A link to what another view has of a search: “3 in All”. */
  elsewhere: (total: number, view: string): string => `${atMost(total)} in ${view}`,
  /** As short as it can be: “16:12” today, “Yesterday”, “Mon” within a week, “12 Oct”, and with the year if it is another one. */
  when: (moment: Moment, now: Date): string => {
    const at = new Date(moment);
    const days = Math.round((midnight(now).getTime() - midnight(at).getTime()) / MS_PER_DAY);
    if (days <= 0) return clock(at);
    if (days === 1) return 'Yesterday';
    if (days < DAYS_OF_WEEK) return WEEKDAY.format(at);
    return at.getFullYear() === now.getFullYear() ? DAY.format(at) : DAY_OF_YEAR.format(at);
  },
} as const;

/** Making one costs more than all of a row. */
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const DAY_OF_YEAR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });

const midnight = (moment: Date): Date => new Date(moment.getFullYear(), moment.getMonth(), moment.getDate());
