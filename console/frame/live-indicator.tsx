import { useSignal, useSignalEffect } from '@preact/signals';
import { type LiveState, liveState } from '../data/live.js';
import { isOutdated } from '../data/version.js';
import { Icon } from '../parts/icon.js';
import { words } from '../words/en.js';

/** A break that is over within this time is not worth a word, milliseconds. */
const SAID_AFTER_MS = 1000;
const DOTS: Readonly<Record<LiveState, string>> = { live: 'ok', reconnecting: 'warn', offline: 'bad' };

/**
 * Whether the page shows what is, and whether there is a newer page. Changes are not read aloud: they come and go.
 *
 * @param isShort in the bar of narrow pages, where only what is out of the ordinary has a place
 */
export function LiveIndicator({ isShort = false }: { isShort?: boolean }) {
  const said = useSignal<LiveState | null>(null);
  useSignalEffect(() => {
    const state = liveState.value;
    if (state !== 'reconnecting') {
      said.value = state;
      return;
    }
    const timer = setTimeout(() => {
      said.value = state;
    }, SAID_AFTER_MS);
    return () => clearTimeout(timer);
  });
  return (
    <>
      {isOutdated.value && (
        <button class="renew" type="button" onClick={() => location.reload()}>
          <Icon name="refresh" />
          <span class="t">{words.nav.reload}</span>
        </button>
      )}
      <p class="live">
        {said.value !== null && !(isShort && said.value === 'live') && (
          <>
            <span class={`dot ${DOTS[said.value]}`} />
            <span class="t">
              <span class="hide">{words.nav.updates} </span>
              {words.nav.live[said.value]}
            </span>
          </>
        )}
      </p>
    </>
  );
}
