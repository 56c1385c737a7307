import type { FileFault, FileKind } from '../screens/inbox/composer/file-rules.js';
import { count } from './numbers.js';
import { clock, type Moment, when } from './times.js';

const ENDS_SENTENCE = /[.?]$/;
const sentence = (text: string): string => (ENDS_SENTENCE.test(text) ? text : `${text}.`);

const KINDS: Readonly<Record<FileKind, string>> = {
  image: 'An image',
  video: 'A video',
  audio: 'A sound file',
  document: 'A document',
};

const FIELDS: Readonly<Record<string, string>> = {
  first_name: 'first name',
  last_name: 'last name',
  phone_number: 'phone number',
  email: 'email',
  company: 'company',
};

const listed = (names: readonly string[]): string => new Intl.ListFormat('en').format(names);

/** The words of the composer. */
export const inboxComposerWords = {
  label: 'Answer',
  modes: { legend: 'What you write', message: 'Message', note: 'Note', template: 'Template' },
  fields: { message: (who: string): string => `Message to ${who}`, note: 'Note, not sent' },
  hints: {
    message: 'Write a message, or / for a saved reply',
    note: 'Only your colleagues read this',
  },
  send: 'Send',
  sending: 'Sending…',
  reopenAndAnswer: 'Reopen and answer',
  addNote: 'Add note',
  adding: 'Adding…',
  offline: 'Offline',
  offlineText: 'Offline. Your text stays here until you can send it.',
  /** What sends, beside the button that does. */
  sendKeys: (isEnter: boolean, isApple: boolean): string => (isEnter ? 'Enter' : isApple ? '⌘ Enter' : 'Ctrl Enter'),
  keys: { answer: 'Answer', note: 'Write a note', template: 'Choose a template' },

  window: {
    /** “Write freely until 16:12 tomorrow, 23 h 56 min” */
    open: (end: Moment, now: Moment): string => `Write freely until ${dayTime(end, now)}, ${left(end, now)}`,
    soon: (end: Moment, now: Moment): string => `The window closes at ${clock(end)}, in ${left(end, now)}`,
    closedWhileWriting:
      'The window closed while you were writing. Your text is still here to copy; only a template can start again.',
    closed: 'The window is closed. Only an approved template can start again.',
    templateSent: (at: Moment, now: Moment): string =>
      `Template sent ${when(at, now)}. You can write freely once they answer.`,
    sendAnother: 'Send another',
    kept: 'Your text, not sent',
    discard: 'Discard the text',
  },

  held: (name: string): string => `${name} has this conversation. Nothing was sent.`,
  heldTyping: (name: string): string => `${name} has this conversation. Your text stays here.`,
  somebody: 'A colleague',
  takeOver: 'Take over and send',
  notSent: (reason: string): string => `Not sent: ${sentence(reason)}`,
  notAdded: (reason: string): string => `Not added: ${sentence(reason)}`,
  otherAccount: 'You went to another account before.',
  requestId: (id: string): string => `Request ${id}`,
  unknown: {
    repeatable: {
      message: 'May have been sent: Parley has not answered. “Try again” sends it only if it was not.',
      note: 'May have been added: Parley has not answered. “Try again” adds it only if it was not.',
    },
    outdated: {
      message: 'May have been sent. Look at the thread before you write it again.',
      note: 'May have been added. Look at the thread before you write it again.',
    },
    kept: 'What it said',
    again: 'Try again',
    dismiss: 'Done',
  },
  dismiss: 'Dismiss',

  count: (used: number, limit: number): string => `${count(used)} of ${count(limit)}`,
  tooLong: (used: number, limit: number): string =>
    `${count(used - limit)} ${used - limit === 1 ? 'character' : 'characters'} too many. Shorten it to ${count(limit)}.`,
  captionTooLong: (used: number, limit: number): string =>
    `${count(used - limit)} ${used - limit === 1 ? 'character' : 'characters'} too many: a text with a file may have ${count(limit)}.`,

  quote: {
    label: (name: string): string => `Answers ${name}`,
    self: 'an earlier answer',
    drop: 'Answer without the quote',
  },

  tools: {
    attach: 'Attach a file',
    emoji: 'Add an emoji',
    replies: 'Saved replies',
    template: 'Choose a template',
    backToMessage: 'Write a message instead',
    /** What may not load. */
    templates: 'The templates',
  },

  files: {
    label: 'Files to send',
    drop: 'Drop files to attach them',
    waiting: 'Waiting',
    going: (percent: string): string => `Uploading, ${percent}`,
    done: 'Ready',
    failed: 'The upload failed. Try again.',
    busy: 'Parley is busy. Try again in a moment.',
    noAnswer: 'The connection broke. Try again.',
    signedOut: 'You were signed out. Sign in, then try again.',
    cancelled: 'Cancelled.',
    retry: (name: string): string => `Try again: ${name}`,
    retryShort: 'Try again',
    remove: (name: string): string => `Remove ${name}`,
    notReady: 'A file was not uploaded. Try again, or remove it.',
    sent: (name: string): string => `File: ${name}`,
    refused: (name: string, fault: FileFault): string => `${name}: ${faultText(fault)}`,
  },

  emoji: { what: 'The emoji', label: 'Emoji', find: 'Find an emoji', none: 'No emoji has that name.' },

  replies: {
    label: 'Saved replies',
    find: 'Find a saved reply',
    loading: 'Loading the saved replies…',
    none: { text: 'There are no saved replies yet. Managers make them in', link: 'Settings → Saved replies' },
    noneFound: 'No saved reply has that in its name or text.',
    what: 'The saved replies',
    missing: (names: readonly string[]): string =>
      `This person has no ${listed(names.map((name) => FIELDS[name] ?? name))}. Fill it in where the braces are.`,
    unfilled: 'Some braces {{…}} are not filled in, and the person would read them.',
    sendAnyway: 'Send as it is',
    goTo: 'Fill it in',
  },
} as const;

function faultText(fault: FileFault): string {
  switch (fault.kind) {
    case 'size':
      return `too large. ${KINDS[fault.as]} may have at most ${fault.maxMegabytes} MB.`;
    case 'sticker':
      return 'WEBP is only for stickers. Save it as JPEG or PNG.';
    case 'empty':
      return 'the file is empty.';
    case 'type':
      return 'this kind of file can’t be sent. JPEG, PNG, MP4, MP3, M4A, AAC, AMR, OGG, PDF, Word, PowerPoint and text files can.';
  }
}

/** “16:12”, “16:12 tomorrow” */
function dayTime(end: Moment, now: Moment): string {
  return when(end, now).startsWith('tomorrow') ? `${clock(end)} tomorrow` : clock(end);
}

/** How long it is until then: “23 h 56 min”, “8 min”, “40 s”. */
function left(end: Moment, now: Moment): string {
  const seconds = Math.max(0, Math.floor((new Date(end).getTime() - new Date(now).getTime()) / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
