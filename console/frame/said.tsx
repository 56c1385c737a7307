import { signal, useSignal, useSignalEffect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { words } from '../words/en.js';
import { letterHint } from './letter-hint.js';
import { useLetters } from './letters.js';

/** How long a sentence stays, and how long one with a button. Milliseconds. */
const [STAYS_MS, OFFERS_MS] = [6000, 12_000];

/** What takes back what has just happened. */
type Undo = () => Promise<unknown>;

/** What was said last, with its number: the same sentence again is news too. */
const said = signal<{ readonly text: string; readonly undo: Undo | null; readonly place: number } | null>(null);
let count = 0;

/**
 * Says what has just happened, where the page itself has moved on. It goes away by itself.
 *
 * @param undo takes it back, and says what came of that
 */
export function say(text: string, undo: Undo | null = null): void {
  count += 1;
  said.value = { text, undo, place: count };
}

/** The place of what was said last, over the foot of the page. */
export function Said() {
  const place = useRef<HTMLDivElement>(null);
  const isHeld = useSignal(false);
  useSignalEffect(() => {
    if (said.value === null || isHeld.value) return;
    const timer = setTimeout(
      () => {
        said.value = null;
      },
      said.value.undo === null ? STAYS_MS : OFFERS_MS,
    );
    return () => clearTimeout(timer);
  });
  const hold = (): void => {
    isHeld.value = place.current?.matches(':hover, :focus-within') === true;
  };
  const last = said.value;
  useLayoutEffect(hold, [last]);
  return (
    <div class="just-said" role="status">
      {last !== null && (
        <div
          key={last.place}
          ref={place}
          onPointerEnter={hold}
          onPointerLeave={hold}
          onFocusIn={hold}
          onFocusOut={() => queueMicrotask(hold)}
        >
          <p dir="auto">{last.text}</p>
          {last.undo !== null && <UndoButton undo={last.undo} />}
        </div>
      )}
    </div>
  );
}

function UndoButton({ undo }: { undo: Undo }) {
  const isBusy = useRef(false);
  const press = async (): Promise<void> => {
    if (isBusy.current) return;
    isBusy.current = true;
    await undo();
    isBusy.current = false;
  };
  useLetters({ z: { label: words.help.undo, press: () => void press() } });
  return (
    <button class="btn sm" type="button" {...letterHint(words.undo, 'z')} onClick={() => void press()}>
      {words.undo}
    </button>
  );
}
