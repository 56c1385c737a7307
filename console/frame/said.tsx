import { signal, useSignalEffect } from '@preact/signals';

/** How long a sentence stays, milliseconds. */
const STAYS_MS = 6000;

const said = signal<string | null>(null);

/** Says what has just happened, where the page itself has moved on. It goes away by itself. */
export function say(text: string): void {
  said.value = text;
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
      {said.value !== null && <p dir="auto">{said.value}</p>}
    </div>
  );
}
