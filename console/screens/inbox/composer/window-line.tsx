import type { ReadonlySignal } from '@preact/signals';
import { Icon } from '../../../parts/icon.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import type { OpenWindow } from './use-window.js';

/** By which fields are described with it. */
export const WINDOW_LINE = 'window-line';

/** Until when one may write freely, with how much of the window is left. */
export function WindowLine({ openWindow }: { openWindow: ReadonlySignal<OpenWindow | null> }) {
  const shown = openWindow.value;
  if (shown === null) return null;
  const { end, now, isSoon, isClosing, share } = shown;
  const words = inboxComposerWords.window;
  return (
    <p id={WINDOW_LINE} class={isSoon ? 'window soon' : 'window'}>
      <Icon name={isClosing ? 'alert' : 'clock'} />
      <span>{isClosing ? words.soon(end, now) : words.open(end, now)}</span>
      <svg class={isSoon ? 'meter paused' : 'meter'} aria-hidden="true">
        <rect class="rest" width="100%" height="100%" rx="2" />
        <rect class="done" width={`${(share * 100).toFixed(1)}%`} height="100%" rx="2" />
      </svg>
    </p>
  );
}
