import { campaignFailures } from './campaign-failures.js';
import { campaignPeople } from './campaign-people.js';
import { count, decimal, percent } from './numbers.js';
import { clock, type Moment, when } from './times.js';

const people = (number: number): string => (number === 1 ? '1 person' : `${count(number)} people`);

const UNTIL_RESUMED = 'Nobody is sent to until somebody resumes it.';

/** The words of the screen of one campaign. */
export const campaign = {
  title: 'Campaign',
  back: 'Campaigns',
  loading: 'The campaign',
  gone: {
    title: 'There is no such campaign',
    text: 'Nothing in this account has this address. It may belong to another account.',
    go: 'Go to Campaigns',
  },
  parts: {
    funnel: 'Funnel',
    progress: 'Progress',
    failures: 'The list of failures',
    pace: 'The pace',
    people: 'The list of people',
    message: 'The message',
  },

  started: (at: Moment): string => `Started ${at}`,
  startedBy: (at: Moment, name: string): string => `Started ${at} by ${name}`,
  startedByKey: (at: Moment): string => `Started ${at} with an API key`,
  startedOnTime: (at: Moment): string => `Started ${at}, as scheduled`,
  scheduledFor: (at: Moment): string => `Starts ${at}`,
  notStarted: 'Not started yet',
  createdBy: (at: Moment, name: string): string => `Created ${at} by ${name}`,
  from: (text: string): string => `${text}, from`,
  mostRead: (at: Moment): string => `Most who read it had done so by ${at}`,
  /** “at 16:14” today, else as dates are said. */
  at: (moment: Moment, now: Moment): string => {
    const said = when(moment, now);
    return said === clock(moment) ? `at ${said}` : said;
  },

  actions: {
    send: 'Send…',
    sending: 'Sending…',
    pause: 'Pause',
    pausing: 'Pausing…',
    resume: 'Resume…',
    resuming: 'Resuming…',
    cancel: 'Cancel campaign…',
    retry: (number: number): string => `Retry ${count(number)}`,
    retryAsks: (number: number): string => `Retry ${count(number)}…`,
    retrying: 'Retrying…',
    more: 'More actions',
    keep: 'Keep it',
    leave: 'Not now',
  },

  asks: {
    cancel: {
      title: (name: string): string => `Cancel “${name}”?`,
      text: (left: number, sent: number): string =>
        `${people(left)} will not get it. ${sent === 0 ? 'Nobody has it yet.' : `${count(sent)} already ${sent === 1 ? 'has' : 'have'}.`}`,
      textUnknown: (sent: number): string => `Those who wait will not get it. ${count(sent)} already have.`,
      final: 'A cancelled campaign can’t go on. Credits for those who wait come back.',
      confirm: 'Cancel campaign',
    },
    send: {
      title: (name: string): string => `Send “${name}”?`,
      text: (all: number): string => `${people(all)} will get it, from now on.`,
      textUnknown: 'Everybody on its list will get it, from now on.',
      confirm: (all: number): string => `Send to ${people(all)}`,
      confirmUnknown: 'Send',
    },
    resume: {
      title: (name: string): string => `Resume “${name}”?`,
      text: (left: number): string => `${people(left)} ${left === 1 ? 'waits' : 'wait'} and will get it from now on.`,
      textUnknown: 'Those who wait will get it from now on.',
      confirm: (left: number): string => `Send to ${people(left)}`,
      confirmUnknown: 'Resume',
    },
    retry: {
      title: (number: number): string => `Retry ${people(number)}?`,
      text: (left: number): string =>
        left === 0
          ? 'Nobody else is sent to.'
          : `The campaign goes on, too: ${people(left)} who ${left === 1 ? 'waits' : 'wait'} will get it as well.`,
      textUnknown: 'The campaign goes on, too: those who wait will get it as well.',
      once: 'The network limits marketing for each person. Each is tried once more, and those tried before are left out.',
      confirm: 'Retry',
    },
  },

  outcome: {
    overtaken: (state: string): string => `Somebody else was first. The campaign now says: ${state}.`,
    unknown: 'Parley has not answered whether that took effect. What you see is the latest it has said.',
    refused: (detail: string): string => `That was not possible: ${detail}.`,
  },

  paused: {
    byHand: `Paused. ${UNTIL_RESUMED}`,
    by: (at: Moment, name: string): string => `Paused ${at} by ${name}. ${UNTIL_RESUMED}`,
    byKey: (at: Moment): string => `Paused ${at} with an API key. ${UNTIL_RESUMED}`,
    byItself: (failed: number, of: number): string =>
      `Paused itself: ${count(failed)} of the last ${count(of)} failed.`,
    common: (reason: string): string => `Most common: ${reason}.`,
  },
  failed: 'Stopped before everybody was sent to.',

  progress: {
    handed: (all: number): string => `of ${count(all)} handed to the network`,
    label: (sent: number, all: number): string => `${count(sent)} of ${count(all)} people handed to the network`,
    rate: 'a second',
    left: (time: string): string => `about ${time} left`,
    slow: 'Nothing was sent in the last seconds',
    waiting: 'Waiting',
  },
  funnel: {
    people: 'People',
    sent: 'Sent',
    delivered: 'Delivered',
    read: 'Read',
    clicked: 'Clicked',
    leftOut: (number: number): string => (number === 0 ? 'nobody left out' : `after ${count(number)} left out`),
    ofPeople: (part: number, whole: number): string => percent(part, whole),
    ofSent: (part: number, whole: number): string => `${percent(part, whole)} of sent`,
    ofDelivered: (part: number, whole: number): string => `${percent(part, whole)} of delivered`,
    ofRead: (part: number, whole: number): string => `${percent(part, whole)} of read`,
  },

  failures: {
    title: 'Not delivered',
    none: 'Nobody has failed.',
    noneYet: 'Nobody has failed so far.',
    show: 'Show people',
    withCode: (text: string, code: number): string => `${text} (${code})`,
    showOne: (title: string, number: number): string => `${title}: show ${people(number)}`,
    retryOf: (label: string, title: string): string => `${label}: ${title}`,
    afterEnd: 'Can be retried once the campaign has ended.',
    notBefore: (at: Moment): string => `Not before ${at}.`,
    byCode: campaignFailures,
  },

  pace: {
    title: 'Pace',
    now: (rate: number): string => `${decimal(rate)} a second`,
    nowOf: (rate: number, limit: number): string => `${decimal(rate)} a second, of ${count(limit)} allowed`,
    limit: (limit: number): string => `${count(limit)} a second allowed`,
    none: 'Nothing has been sent yet.',
    end: 'now',
    sentence: (from: Moment, to: Moment): string => `Messages a second from ${from} to ${to}`,
    figures: (typical: number, most: number): string =>
      `typically ${decimal(typical)} a second, at most ${decimal(most)}`,
    table: 'Show as a table',
    at: 'From',
    accepted: 'Sent',
    each: 'A second',
    waits: {
      send_window: 'The next one waits until the hours of the campaign',
      messaging_limit: 'The next one waits for the network’s limit of people in 24 hours',
      restriction: 'The next one waits for the end of a restriction of the phone number',
      phone: 'Everybody waits: the phone number can’t send for now',
      network: 'Everybody waits: the network slows the phone number down',
    } as Readonly<Record<string, string>>,
    until: (text: string, at: Moment): string => `${text}: ${at}`,
    held: (number: number): string => `The network holds ${count(number)} back to check the quality`,
    replied: (number: number): string => `${people(number)} replied`,
  },

  people: campaignPeople,

  message: {
    title: 'Message',
    gone: 'The template no longer exists.',
    media: { IMAGE: 'Image', VIDEO: 'Video', DOCUMENT: 'Document', LOCATION: 'Place', GIF: 'Image' } as Readonly<
      Record<string, string>
    >,
    mediaFrom: (kind: string, host: string): string => `${kind} from ${host}`,
    field: {
      first_name: 'First name',
      last_name: 'Last name',
      phone_number: 'Number',
      email: 'Email',
      username: 'Handle',
    } as Readonly<Record<string, string>>,
    own: 'own value',
    cards: (number: number): string => `${count(number)} cards`,
  },

  details: {
    title: 'Details',
    description: 'Note',
    phone: 'Phone number',
    template: 'Template',
    groups: 'Groups',
    people: 'People',
    leftOut: 'Left out',
    leftOutOf: (twice: number, unusable: number): string => {
      const parts = [twice > 0 && `${count(twice)} twice`, unusable > 0 && `${count(unusable)} not a number`];
      return parts.filter(Boolean).join(', ') || 'nobody';
    },
    created: 'Created',
    by: (at: Moment, name: string): string => `${at} by ${name}`,
    byKey: (at: Moment): string => `${at} with an API key`,
    schedule: 'Starts',
    hours: 'Hours',
    window: (from: string, to: string): string => `${from}–${to}`,
    theirs: (hours: string): string => `${hours}, theirs`,
    inZone: (hours: string, zone: string): string => `${hours}, ${zone}`,
    before: 'Send before',
    pace: 'Pace',
    noLimit: 'no limit of its own',
    brake: 'Brake',
    brakeAt: (share: number): string => `at ${count(share)} % failed`,
    noBrake: 'off',
  },

  said: {
    state: (status: string, sent: number, all: number): string =>
      `${status}. ${count(sent)} of ${count(all)} people sent to.`,
    figures: (delivered: number, read: number, clicked: number): string =>
      `${count(delivered)} delivered, ${count(read)} read, ${count(clicked)} clicked.`,
    failed: (failed: number): string => `${count(failed)} failed.`,
    pace: (rate: number, left: string): string => `${decimal(rate)} a second, about ${left} left.`,
    half: 'Half sent.',
    running: 'Sending again.',
    paused: 'Paused.',
    completed: 'Completed.',
    cancelled: 'Cancelled.',
    failedNow: 'Stopped.',
  },

  keys: { pause: 'Pause or resume', state: 'Read the state aloud', search: 'Search people' },
};
