import { useRef } from 'preact/hooks';
import { shortcuts } from '../data/preferences.js';
import { Icon } from '../parts/icon.js';
import { words } from '../words/en.js';
import { isHelpShown } from './help-shown.js';
import { LazyPart } from './lazy-part.js';
import type { NavigationEntry } from './screens.js';

const load = async () => (await import('./help-dialog.js')).HelpDialog;

/** The list of shortcuts, which has a file of its own. */
export function Help({ entries }: { entries: readonly NavigationEntry[] }) {
  const close = useRef(() => {
    isHelpShown.value = false;
  });
  return isHelpShown.value ? (
    <LazyPart load={load} what={words.help.part} entries={entries} onClose={close.current} />
  ) : null;
}

/** Shows the list of shortcuts, for those who don’t know the key yet. */
export function HelpButton() {
  return (
    <button
      class="entry"
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts={shortcuts.value ? '?' : undefined}
      onClick={() => {
        isHelpShown.value = true;
      }}
    >
      <Icon name="keys" />
      <span class="t">{words.nav.shortcuts}</span>
    </button>
  );
}
