import type { RefObject } from 'preact';
import { useId, useLayoutEffect } from 'preact/hooks';
import { enterSends } from '../../../data/preferences.js';
import { isComposing } from '../../../parts/composing.js';
import { inboxComposerWords as words } from '../../../words/inbox-composer.js';
import { type Draft, textOf } from './drafts.js';
import { limitOf } from './sending.js';
import { MAX_CAPTION, nearLimit } from './text-limits.js';
import { WINDOW_LINE } from './window-line.js';

interface MessageFieldProps {
  readonly draft: Draft;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Whom messages go to. */
  readonly who: string;
  /** The window closed while somebody wrote: the text can be read and copied. */
  readonly isReadOnly: boolean;
  readonly onSend: () => void;
  /** A slash where a word may begin. */
  readonly onSlash: () => void;
  readonly onEscape: () => void;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Where one writes; it grows with the text. */
export function MessageField(props: MessageFieldProps) {
  const { draft, field, who, isReadOnly, onSend, onSlash, onEscape, onFiles } = props;
  const id = useId();
  const isNote = draft.mode.value === 'note';
  const text = textOf(draft);
  const limit = limitOf(draft);
  const near = nearLimit(text.value, limit);
  const isMessage = !isNote && !isReadOnly;
  const described = [isMessage && WINDOW_LINE, near !== null && id].filter(Boolean).join(' ');
  useLayoutEffect(() => grow(field.current), [text.value, isNote, isReadOnly]);
  const press = (event: KeyboardEvent): void => {
    if (isComposing(event) || isReadOnly) return;
    if (event.key === 'Enter' && field.current !== null) {
      const hasModifier = event.ctrlKey || event.metaKey;
      if (hasModifier !== enterSends.value && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        if (!event.repeat) onSend();
      } else if (hasModifier) {
        // Browsers do nothing by themselves.
        event.preventDefault();
        insertAt(field.current, '\n');
      }
    } else if (event.key === '/' && !isNote && field.current !== null && beginsWord(field.current)) {
      event.preventDefault();
      onSlash();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onEscape();
    }
  };
  return (
    <>
      <textarea
        ref={field}
        dir="auto"
        rows={2}
        value={text.value}
        readOnly={isReadOnly}
        placeholder={isNote ? words.hints.note : words.hints.message}
        aria-label={isReadOnly ? words.window.kept : isNote ? words.fields.note : words.fields.message(who)}
        aria-invalid={near?.isOver === true}
        aria-describedby={described === '' ? undefined : described}
        aria-keyshortcuts={enterSends.value ? 'Enter' : 'Control+Enter'}
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
        }}
        onKeyDown={press}
        onPaste={(event) => {
          const files = [...(event.clipboardData?.files ?? [])];
          if (files.length === 0 || isNote) return;
          event.preventDefault();
          onFiles(files);
        }}
      />
      {near !== null && (
        <p id={id} class={near.isOver ? 'wrong' : 'count'} role={near.isOver ? 'alert' : undefined}>
          {near.isOver ? tooLong(near.used, limit) : words.count(near.used, limit)}
        </p>
      )}
    </>
  );
}

const tooLong = (used: number, limit: number): string =>
  limit === MAX_CAPTION ? words.captionTooLong(used, limit) : words.tooLong(used, limit);

/** Whether what is typed next begins a word: it is neither in one nor in an address. */
const beginsWord = ({ value, selectionStart }: HTMLTextAreaElement): boolean =>
  selectionStart === 0 || /\s/.test(value.charAt(selectionStart - 1));

/** As high as its text; the style sheet says how far. */
function grow(field: HTMLTextAreaElement | null): void {
  if (field === null) return;
  field.style.blockSize = 'auto';
  field.style.blockSize = `${field.scrollHeight}px`;
}

/** Puts a text where the caret is, in place of what is selected, as if somebody had typed it. */
export function insertAt(field: HTMLTextAreaElement, piece: string): void {
  field.focus();
  field.setRangeText(piece, field.selectionStart, field.selectionEnd, 'end');
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
