import { accountId } from '../../../data/account.js';
import { isOffline } from '../../../data/connection.js';
import { failureOf, hasStatus } from '../../../data/failure.js';
import { inboxComposerWords as words } from '../../../words/inbox-composer.js';
import type { OpenThread } from '../open-thread.js';
import type { TemplateChoice } from '../template/template-choice.js';
import { type AttachedFile, discard, uploaded } from './attached-file.js';
import { Unsettled } from './attempt.js';
import { deliver, NotBegun, sendChoice, sendContent, writeNote } from './deliver.js';
import type { Draft, Mode, Outcome } from './drafts.js';
import { takesCaption } from './file-rules.js';
import { firstVariable } from './reply-variables.js';
import { colleagueWith, HeldByColleague, takeThread } from './take-thread.js';
import { characters, MAX_CAPTION, MAX_NOTE, MAX_TEXT } from './text-limits.js';

interface SendOptions {
  /** Whether a colleague who has the conversation loses it. */
  readonly takesOver?: boolean;
  /** Whether variables without a value are sent as they are written. */
  readonly asItIs?: boolean;
}

/** One message of several that are sent one after the other. */
interface Part {
  readonly text: string;
  readonly file: AttachedFile | null;
}

/** How long the text may be that is written now. */
export function limitOf({ mode, files }: Draft): number {
  if (mode.value === 'note') return MAX_NOTE;
  const [first] = files.value;
  return first !== undefined && takesCaption(first.kind) ? MAX_CAPTION : MAX_TEXT;
}

/** Sends what the draft says, with its files. A press while another one is on its way does nothing. */
export async function answer(thread: OpenThread, draft: Draft, options: SendOptions = {}): Promise<void> {
  const { takesOver = false, asItIs = false } = options;
  const text = draft.message.value.trim();
  const parts = partsOf(text, draft.files.value);
  if (isBusy(draft) || parts.length === 0 || characters(text) > limitOf(draft)) return;
  const holder = colleagueWith(thread.conversation.value);
  if (holder !== null && !takesOver) {
    draft.outcomes.message.value = { kind: 'held' };
    return;
  }
  if (!asItIs && firstVariable(text) !== null) {
    draft.outcomes.message.value = { kind: 'unfilled', takesOver };
    return;
  }
  begin(draft, 'message');
  draft.message.value = '';
  await sendParts(thread, draft, parts, takesOver);
  draft.isSending.value = false;
}

/** Sends them one after the other. What was not sent after a failure goes back into the draft. */
async function sendParts(thread: OpenThread, draft: Draft, parts: readonly Part[], takesOver: boolean): Promise<void> {
  const quoted = thread.quoted.value;
  thread.quoted.value = null;
  let done = 0;
  try {
    for (const part of parts) {
      const reply = done === 0 && quoted !== null ? { reply_to: quoted.message_id } : {};
      await deliver(thread, { kind: 'message', text: shownOf(part) }, async () => {
        if (done === 0) await before(() => takeThread(thread, takesOver));
        const content = await contentOf(part);
        requireAccount(draft);
        return sendContent(thread.key, { ...content, ...reply });
      });
      drop(draft, part.file);
      done += 1;
    }
  } catch (error) {
    const lost = error instanceof Unsettled ? parts[done] : undefined;
    if (lost !== undefined) drop(draft, lost.file);
    const left = parts.slice(lost === undefined ? done : done + 1).map(({ text }) => text);
    draft.message.value = [...left, draft.message.value].filter(Boolean).join('\n');
    if (done === 0 && lost === undefined) thread.quoted.value ??= quoted;
    draft.outcomes.message.value = outcomeOf(error, words.notSent, lost === undefined ? '' : shownOf(lost));
    void thread.reload();
  }
}

/**
 * Adds the note that the draft says.
 *
 * @returns whether it was added
 */
export async function addNote(thread: OpenThread, draft: Draft): Promise<boolean> {
  const text = draft.note.value.trim();
  if (isBusy(draft) || text === '' || characters(text) > MAX_NOTE) return false;
  begin(draft, 'note');
  draft.note.value = '';
  try {
    await deliver(thread, { kind: 'note', text }, () => writeNote(thread.key, text));
    return true;
  } catch (error) {
    if (!(error instanceof Unsettled)) giveBack(draft.note, text);
    draft.outcomes.note.value = outcomeOf(error, words.notAdded, text);
    return false;
  } finally {
    draft.isSending.value = false;
  }
}

/**
 * Sends a template, after what is on its way already.
 *
 * @returns false where nobody knows whether it was sent
 * @throws HeldByColleague, or what the service refuses it with, as NotBegun where that was before the message
 */
export async function sendTemplate(
  thread: OpenThread,
  draft: Draft,
  choice: TemplateChoice,
  takesOver = false,
): Promise<boolean> {
  while (draft.isSending.peek()) await isFree(draft);
  const holder = colleagueWith(thread.conversation.value);
  if (holder !== null && !takesOver) throw new HeldByColleague(holder);
  const quoted = thread.quoted.value;
  begin(draft, 'template');
  try {
    await deliver(thread, { kind: 'message', text: choice.preview }, async () => {
      await before(() => takeThread(thread, takesOver));
      requireAccount(draft);
      return sendChoice(thread.key, choice, quoted === null ? {} : { reply_to: quoted.message_id });
    });
    thread.quoted.value = null;
    return true;
  } catch (error) {
    void thread.reload();
    if (!(error instanceof Unsettled)) throw error;
    draft.outcomes.template.value = outcomeOf(error, words.notSent, choice.preview);
    return false;
  } finally {
    draft.isSending.value = false;
  }
}

/** Asks once more what became of something: it is sent if it was not. */
export async function askAgain(thread: OpenThread, draft: Draft, mode: Mode): Promise<void> {
  const outcome = draft.outcomes[mode];
  if (isBusy(draft) || outcome.value?.kind !== 'unknown') return;
  const { text, attempt } = outcome.value;
  const isNote = mode === 'note';
  draft.isSending.value = true;
  try {
    await deliver(thread, { kind: isNote ? 'note' : 'message', text }, () => attempt);
    outcome.value = null;
  } catch (error) {
    if (error instanceof Unsettled) return;
    if (mode !== 'template') giveBack(draft[mode], text);
    outcome.value = outcomeOf(error, isNote ? words.notAdded : words.notSent);
    void thread.reload();
  } finally {
    draft.isSending.value = false;
  }
}

/** What was not sent stands before what somebody has begun since. */
function giveBack(field: Draft['message'], text: string): void {
  field.value = [text, field.value].filter(Boolean).join('\n');
}

/** Resolves once nothing is on its way any more. */
function isFree({ isSending }: Draft): Promise<void> {
  return new Promise((resolve) => {
    const end = isSending.subscribe((now) => {
      if (now) return;
      resolve();
      // The first call comes before there is anything to end.
      queueMicrotask(() => end());
    });
  });
}

const isBusy = ({ isSending }: Draft): boolean => isSending.value || isOffline.value;

function begin(draft: Draft, mode: Mode): void {
  draft.isSending.value = true;
  // What may have been sent stays beside the field until somebody has looked.
  const outcome = draft.outcomes[mode];
  if (outcome.value?.kind !== 'unknown') outcome.value = null;
  draft.refusals.value = [];
}

/** The text goes with the first file that may have one, else after the files. */
function partsOf(text: string, files: readonly AttachedFile[]): Part[] {
  const [first] = files;
  const isCaption = first !== undefined && takesCaption(first.kind);
  const withFiles = files.map((file, at) => ({ file, text: at === 0 && isCaption ? text : '' }));
  return isCaption || text === '' ? withFiles : [...withFiles, { file: null, text }];
}

const shownOf = ({ text, file }: Part): string =>
  file === null ? text : [words.files.sent(file.file.name), text].filter(Boolean).join('\n');

async function contentOf({ text, file }: Part): Promise<Parameters<typeof sendContent>[1]> {
  if (file === null) return { message_type: 'text', message: text };
  const mediaId = await uploaded(file);
  if (mediaId === null) throw new NotBegun(new Error(words.files.notReady));
  const caption = text === '' ? {} : { caption: text };
  const name = file.kind === 'document' ? { filename: file.file.name } : {};
  return { message_type: file.kind, media_id: mediaId, ...caption, ...name };
}

function drop(draft: Draft, file: AttachedFile | null): void {
  if (file === null) return;
  draft.files.value = draft.files.value.filter((one) => one !== file);
  discard(file);
}

/** What fails here fails before anything was sent. */
async function before(step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    throw error instanceof HeldByColleague ? error : new NotBegun(error);
  }
}

/** Requests name the account that is shown: what was begun in another one must not go on in it. */
function requireAccount({ account }: Draft): void {
  if (account !== accountId.peek()) throw new NotBegun(new Error(words.otherAccount));
}

/**
 * What to say about a failure; nothing where the page asks to sign in again.
 *
 * @param text what was to be sent
 */
function outcomeOf(error: unknown, said: (reason: string) => string, text = ''): Outcome | null {
  if (error instanceof Unsettled) return { kind: 'unknown', text, attempt: error.attempt };
  if (error instanceof HeldByColleague) return { kind: 'held' };
  const reason = error instanceof NotBegun ? error.reason : error;
  if (hasStatus(reason, 401)) return null;
  // Only a closed window is refused without a code.
  if (hasStatus(reason, 403) && reason.code === null) {
    return { kind: 'failed', text: said(words.window.closed), requestId: reason.requestId };
  }
  const failure = failureOf(reason);
  const why = error instanceof NotBegun ? error.said : failure.text;
  return { kind: 'failed', text: said(why), requestId: failure.requestId };
}
