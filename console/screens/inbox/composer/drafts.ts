import { effect, type Signal, signal } from '@preact/signals';
import { accountId } from '../../../data/account.js';
import { session } from '../../../data/session.js';
import { keepPageWhile } from '../../../data/version.js';
import { forgetKept, keptIn, type PendingEntry } from '../kept-in-thread.js';
import { type Begun, forgetBegun, noteBegun } from '../list/begun.js';
import type { FilledTemplate } from '../template/template-request.js';
import { type ThreadKey, threadName } from '../thread-key.js';
import { type AttachedFile, discard } from './attached-file.js';
import type { Attempt } from './attempt.js';

/** What the composer writes. */
export type Mode = 'message' | 'note' | 'template';

/** What stands between writing and sending, or what became of it. */
export type Outcome =
  /** A colleague has the conversation; nothing was sent. */
  | { readonly kind: 'held' }
  /** The text has variables without a value. `takesOver`: somebody has already said that a colleague gives way. */
  | { readonly kind: 'unfilled'; readonly takesOver: boolean }
  /** A saved reply was inserted, and these have no value. */
  | { readonly kind: 'missing'; readonly names: readonly string[] }
  /** Nobody knows whether it was sent. */
  | { readonly kind: 'unknown'; readonly text: string; readonly attempt: Attempt }
  | { readonly kind: 'failed'; readonly text: string; readonly requestId: string | null };

/** What somebody has begun in one thread. It lives as long as the page, and nowhere else. */
export interface Draft {
  /** The account of the thread. */
  readonly account: string | null;
  readonly mode: Signal<Mode>;
  readonly message: Signal<string>;
  readonly note: Signal<string>;
  readonly files: Signal<readonly AttachedFile[]>;
  /** Why files were not taken. */
  readonly refusals: Signal<readonly string[]>;
  /** What became of each; none has anything to say about another. */
  readonly outcomes: Readonly<Record<Mode, Signal<Outcome | null>>>;
  /** What was entered for a template, and not sent. */
  readonly filled: Signal<FilledTemplate | null>;
  /** When a template was sent while the window was closed; null once they have answered, or another one is wanted. */
  readonly templateSentAt: Signal<Date | null>;
  readonly isSending: Signal<boolean>;
}

const drafts = new Map<string, Draft>();

const isBegun = ({ message, note, files, isSending, outcomes, filled }: Draft): boolean =>
  message.value !== '' ||
  note.value !== '' ||
  files.value.length > 0 ||
  isSending.value ||
  filled.value !== null ||
  // A text that is kept aside is lost with the page too.
  Object.values(outcomes).some((outcome) => outcome.value?.kind === 'unknown');

keepPageWhile(() => [...drafts.values()].some(isBegun));

// Whoever signs out takes what they have begun along; a session that ends by itself leaves them.
effect(() => {
  if (session.value !== null) return;
  for (const { files } of drafts.values()) files.peek().forEach(discard);
  drafts.clear();
  forgetBegun();
  forgetKept();
});

/** What was begun in a thread of the account that is shown. */
export function draftOf(key: ThreadKey): Draft {
  const account = accountId.peek();
  const name = threadName(account, key);
  const known = drafts.get(name);
  if (known !== undefined) return known;
  const draft: Draft = {
    account,
    mode: signal<Mode>('message'),
    message: signal(''),
    note: signal(''),
    files: signal<readonly AttachedFile[]>([]),
    refusals: signal<readonly string[]>([]),
    outcomes: { message: signal(null), note: signal(null), template: signal(null) },
    filled: signal<FilledTemplate | null>(null),
    templateSentAt: signal<Date | null>(null),
    isSending: signal(false),
  };
  drafts.set(name, draft);
  const { pending } = keptIn(account, key);
  effect(() => noteBegun(name, begunOf(draft, pending.value)));
  return draft;
}

/** What a row of the list shows of a draft: what somebody has to look at again goes before what they write. */
function begunOf({ message, note, files, outcomes }: Draft, pending: readonly PendingEntry[]): Begun | null {
  for (const { value } of Object.values(outcomes)) {
    if (value?.kind === 'unknown') return { kind: 'unknown', text: value.text };
  }
  const text = message.value.trim() || files.value.map(({ file }) => file.name).join(', ');
  if (text !== '') {
    const outcome = outcomes.message.value?.kind;
    return { kind: outcome === 'failed' || outcome === 'held' ? 'refused' : 'draft', text };
  }
  if (note.value.trim() !== '') {
    return { kind: outcomes.note.value?.kind === 'failed' ? 'refused' : 'draft', text: note.value };
  }
  const sent = pending.find(({ kind, recordId }) => kind === 'message' && recordId === null);
  return sent === undefined ? null : { kind: 'sending', text: sent.text };
}

/** The text that a mode writes. */
export const textOf = (draft: Draft): Signal<string> => (draft.mode.value === 'note' ? draft.note : draft.message);
