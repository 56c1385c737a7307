import { campaign } from './campaign.js';
import { campaigns } from './campaigns.js';
import { count } from './numbers.js';
import { clock, type Moment, when } from './times.js';

/** Every sentence of the interface; those that name a value are functions of it. */
export const words = {
  product: 'Parley',
  titleOf: (screen: string): string => `${screen} · Parley`,
  skip: 'Skip to the content',

  nav: {
    main: 'Main',
    short: 'Main, short',
    inbox: 'Inbox',
    campaigns: 'Campaigns',
    settings: 'Settings',
    reload: 'Reload for the new version',
    shortcuts: 'Keyboard shortcuts',
    updates: 'Updates:',
    live: { live: 'Live', reconnecting: 'Reconnecting', offline: 'Offline' },
    accountIs: (name: string): string => `Account: ${name}. Choose another one`,
  },

  inbox: { title: 'Inbox' },

  entrance: {
    https: {
      title: 'The console needs HTTPS',
      text: 'This page came over plain HTTP, and a browser keeps a sign-in safe only over HTTPS. Ask your admin for the address that begins with https://.',
    },
    unreachable: 'Parley can’t be reached',
    noAccount: {
      title: 'No account yet',
      text: 'Your organisation has no account to show. Ask your admin for one.',
    },
  },

  signIn: {
    title: 'Sign in',
    email: 'Email',
    password: 'Password',
    submit: 'Sign in',
    busy: 'Signing in…',
    forgotten: 'Forgotten? Ask an admin for a link.',
    wrong: 'Email or password is wrong.',
    empty: { email: 'Enter your email.', password: 'Enter your password.' },
    tooMany: 'Too many attempts.',
    waiting: (seconds: number): string => `Try again in ${countdown(seconds)}`,
    which: 'Which organisation?',
    whichText: 'Your password opens several. You can change later by signing in again.',
    enter: 'Continue',
    another: 'Use another email',
  },

  again: {
    title: 'You were signed out',
    text: 'Sign in again to go on. Everything on this page is still here.',
    other: 'Sign in as somebody else',
  },

  welcome: {
    ready: {
      title: 'Sign in to Parley',
      text: 'Your link signs you in on this browser. It works once.',
      go: 'Continue',
    },
    checking: 'Checking your link',
    spent: {
      title: 'This link no longer works',
      text: 'A link works once, within 10 minutes. Ask an admin for a new one, or sign in with your password.',
    },
    missing: {
      title: 'This address has no link in it',
      text: 'Open the whole link that you were given. If it was opened before, ask an admin for a new one.',
    },
    toSignIn: 'Sign in with a password',
  },

  password: {
    title: 'Choose a password',
    greeting: (name: string): string => `Welcome, ${name}. With a password you can sign in whenever you like.`,
    next: 'New password',
    current: 'Current password',
    hint: (min: number, max: number): string =>
      `${min} to ${max} characters. Not your email, not one that many people use.`,
    show: 'Show password',
    tooShort: (count: number, min: number): string => `${count} of at least ${min} characters.`,
    tooLong: (count: number, max: number): string => `${count} characters. At most ${max} fit.`,
    emptyCurrent: 'Enter your current password.',
    wrongCurrent: 'The current password is wrong.',
    submit: 'Set password',
    change: 'Change password',
    busy: 'Saving…',
    changed: 'Password changed. Every other session has ended.',
  },

  you: {
    title: 'You',
    section: 'Settings',
    signOut: 'Sign out',
    signingOut: 'Signing out…',
    profile: 'Profile',
    name: 'Name',
    email: 'Email',
    role: 'Role',
    password: 'Password',
    sessions: 'Sessions',
    sessionsText: 'Where you are signed in. A session ends after 12 hours without use, and after 7 days.',
    thisOne: 'This one',
    unknownDevice: 'Unknown device',
    device: (browser: string, system: string): string => `${browser} on ${system}`,
    since: (moment: string): string => `since ${moment}`,
    seen: (moment: string): string => `seen ${moment}`,
    end: 'Sign out',
    endOf: (device: string): string => `Sign out ${device}`,
    ended: (device: string): string => `${device} is signed out.`,
    browser: 'This browser',
    theme: 'Theme',
    themes: { system: 'System', light: 'Light', dark: 'Dark' },
    shortcuts: 'Keyboard shortcuts',
    shortcutsText: 'Single letters, outside fields only.',
    showShortcuts: 'Show them',
  },

  campaigns,
  campaign,

  roles: { owner: 'Owner', admin: 'Admin', manager: 'Manager', agent: 'Agent' } as Readonly<Record<string, string>>,

  undo: 'Undo',
  /** What a button does, with the key that does the same. */
  withKey: (label: string, key: string): string => `${label} (${key})`,

  help: {
    title: 'Keyboard shortcuts',
    undo: 'Undo what was just resolved',
    part: 'The list of shortcuts',
  },

  states: {
    loading: 'Loading',
    failed: (what: string): string => `${what} didn’t load.`,
    screen: 'This screen',
    session: 'Your session',
    sessions: 'The list of sessions',
    retry: 'Try again',
    request: (id: string): string => `Request ${id}`,
    copy: 'Copy',
    copied: 'Copied',
    offline: (heard: Moment): string => `Offline. Showing ${clock(heard)}.`,
    waiting: (seconds: number): string => `Many requests. Parley goes on in ${countdown(seconds)}.`,
    notFound: { title: 'Nothing is here', text: 'No screen has this address.', go: 'Go to Inbox' },
    foreignAccount: {
      title: 'You have no access to this account',
      text: 'It may belong to another organisation, or you were taken out of it.',
    },
  },

  paging: {
    label: (list: string): string => `${list}: pages`,
    range: (from: number, to: number, total: number): string => `${count(from)}–${count(to)} of ${count(total)}`,
    previous: 'Previous',
    next: 'Next',
  },

  failures: {
    noAnswer: 'No answer from Parley. Check your connection, then try again.',
    forbidden: 'Your role doesn’t allow that.',
    tooMany: 'Too many requests at once. Wait a moment, then try again.',
    busy: 'Parley is busy. Wait a moment, then try again.',
    fault: 'Parley had a fault. Try again. If that doesn’t help, tell your admin.',
    page: 'Part of the page is missing. Try again.',
    withCode: (text: string, code: string): string => `${text} (${code})`,
  },

  when,
};

/** `27 s`, or `2:05` from a minute on. */
export function countdown(seconds: number): string {
  if (seconds < SECONDS_PER_MINUTE) return `${seconds} s`;
  return `${Math.floor(seconds / SECONDS_PER_MINUTE)}:${String(seconds % SECONDS_PER_MINUTE).padStart(2, '0')}`;
}

const SECONDS_PER_MINUTE = 60;
