import { effect, type ReadonlySignal, type Signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useLetters } from '../../../frame/letters.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import type { OpenThread } from '../open-thread.js';
import { attach } from './attached-file.js';
import { type Draft, draftOf, type Mode } from './drafts.js';
import { firstVariable } from './reply-variables.js';
import { addNote, answer } from './sending.js';
import type { Popover } from './tools.js';
import { type OpenWindow, useWindow } from './use-window.js';

/** What the parts of the composer share. */
export interface ComposerState {
  readonly draft: Draft;
  readonly openWindow: ReadonlySignal<OpenWindow | null>;
  readonly isClosed: ReadonlySignal<boolean>;
  readonly popover: Signal<Popover | null>;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly write: (mode: Mode) => void;
  readonly focusField: () => void;
  readonly addFiles: (files: readonly File[]) => void;
  readonly send: () => void;
  readonly selectVariable: () => void;
}

/** The draft of a thread, its window, and where focus goes. */
export function useComposer(thread: OpenThread): ComposerState {
  const [box, field] = [useRef<HTMLDivElement>(null), useRef<HTMLTextAreaElement>(null)];
  const draft = useMemo(() => draftOf(thread.key), []);
  const openWindow = useWindow(thread);
  const isClosed = useComputed(() => openWindow.value === null);
  const popover = useSignal<Popover | null>(null);
  const asked = useSignal(0);
  const focusField = (): void => {
    const mode = draft.mode.value;
    const hasField = mode === 'note' || (mode === 'message' && !isClosed.value);
    if (hasField && field.current?.readOnly === false) field.current.focus();
    // What is to have focus has yet to be drawn.
    else asked.value += 1;
  };
  useLayoutEffect(() => {
    if (asked.value === 0) return;
    const find = (what: string) => box.current?.querySelector<HTMLElement>(what) ?? null;
    // The search for templates takes focus from its place as soon as it is there.
    (find('textarea, .closed input') ?? find('.closed') ?? box.current)?.focus();
  }, [asked.value]);
  const write = (mode: Mode): void => {
    draft.mode.value = mode;
    popover.value = null;
    focusField();
  };
  const { keys } = inboxComposerWords;
  useLetters({
    r: { label: keys.answer, press: () => write('message') },
    m: { label: keys.note, press: () => write('note') },
    t: { label: keys.template, press: () => write('template') },
  });
  useAsked(thread, write);
  useEffect(() => whenOpened(isClosed, draft, box), []);
  useSignalEffect(() => {
    const isEmpty = draft.message.value.trim() === '' && draft.files.value.length === 0;
    if (isEmpty && draft.outcomes.message.value?.kind === 'held') draft.outcomes.message.value = null;
  });
  const wasOpen = useRef(false);
  useEffect(() => {
    // The field that had focus is gone.
    if (isClosed.value && wasOpen.current && document.activeElement === document.body) box.current?.focus();
    wasOpen.current = !isClosed.value;
  }, [isClosed.value]);
  const addFiles = (files: readonly File[]): void => {
    const { taken, refusals } = attach(files);
    draft.mode.value = 'message';
    draft.files.value = [...draft.files.value, ...taken];
    draft.refusals.value = refusals;
    focusField();
  };
  const note = async (): Promise<void> => {
    if (!(await addNote(thread, draft)) || draft.mode.value !== 'note' || draft.note.value !== '') return;
    // What comes next goes to the person, unless somebody has begun another note.
    if (box.current?.contains(document.activeElement)) write('message');
    else draft.mode.value = 'message';
  };
  const send = (): void => {
    focusField();
    void (draft.mode.value === 'note' ? note() : answer(thread, draft));
  };
  const selectVariable = (): void => {
    const place = firstVariable(draft.message.value);
    // At once: whoever types on must not have typed beside it.
    field.current?.focus();
    if (place !== null) field.current?.setSelectionRange(place.start, place.end);
  };
  return { draft, openWindow, isClosed, popover, box, field, write, focusField, addFiles, send, selectVariable };
}

/** The person writes: the form of a template that somebody fills in because the window was closed stays. */
function whenOpened(
  isClosed: ReadonlySignal<boolean>,
  { mode, templateSentAt }: Draft,
  box: RefObject<HTMLDivElement | null>,
): () => void {
  let wasClosed = false;
  // At once: drawn again, the form would be gone.
  return effect(() => {
    const opens = wasClosed && !isClosed.value;
    wasClosed = isClosed.value;
    const wasSent = templateSentAt.peek() !== null;
    if (!wasClosed) templateSentAt.value = null;
    if (!opens) return;
    const panel = mode.peek() === 'message' ? box.current?.querySelector('.closed') : undefined;
    const hasFocus = panel?.contains(document.activeElement) === true;
    if (wasSent) {
      // What had focus goes away. Letters are still shortcuts there.
      if (hasFocus) box.current?.focus();
    } else if (hasFocus || panel?.querySelector('form')) mode.value = 'template';
  });
}

/** Other parts of the thread ask for the field. */
function useAsked({ wantsToWrite }: OpenThread, write: (mode: Mode) => void): void {
  const seen = useRef(0);
  useSignalEffect(() => {
    const { count, kind } = wantsToWrite.value;
    if (count === seen.current) return;
    seen.current = count;
    write(kind);
  });
}
