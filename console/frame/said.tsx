import { signal, useSignalEffect } from '@preact/signals';

/** How long a sentence stays, milliseconds. */
const STAYS_MS = 6000;

/** What was said last, with its number: the same sentence again is news too. */
const said = signal<{ readonly text: string; readonly place: number } | null>(null);
let count = 0;

/** Says what has just happened, where the page itself has moved on. It goes away by itself. */
export function say(text: string): void {
  count += 1;
  said.value = { text, place: count };
}

/** The place of what was said last, over the foot of the page. */
export function Said() {
  useSignalEffect(() => {
    if (said.value === null) return;
    const timer = setTimeout(() => {
      said.value = null;
    }, STAYS_MS);
    return () => clearTimeout(timer);
  });
  return (
    <div class="just-said" role="status">
      {said.value !== null && (
        <p key={said.value.place} dir="auto">
          {said.value.text}
        </p>
      )}
    </div>
  );
}
