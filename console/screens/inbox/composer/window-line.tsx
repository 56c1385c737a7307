import type { ReadonlySignal } from '@preact/signals';
import { Icon } from '../../../parts/icon.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import type { OpenWindow } from './use-window.js';

/** Until when one may write freely, with how much of the window is left. */
export function WindowLine({ openWindow }: { openWindow: ReadonlySignal<OpenWindow | null> }) {
  const shown = openWindow.value;
  if (shown === null) return null;
  const { end, now, isSoon, share } = shown;
  const words = inboxComposerWords.window;
  return (
    <p class={isSoon ? 'window soon' : 'window'}>
      <Icon name={isSoon ? 'alert' : 'clock'} />
      <span>{isSoon ? words.soon(end, now) : words.open(end, now)}</span>
      <svg class={isSoon ? 'meter paused' : 'meter'} aria-hidden="true">
        <rect class="rest" width="100%" height="100%" rx="2" />
        <rect class="done" width={`${(share * 100).toFixed(1)}%`} height="100%" rx="2" />
      </svg>
    </p>
  );
}
