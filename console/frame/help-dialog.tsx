import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { words } from '../words/en.js';
import { isHelpShown } from './help.js';
import { shownLetters } from './letters.js';
import type { NavigationEntry } from './screens.js';

/** The list of shortcuts. */
export function HelpDialog({ entries }: { entries: readonly NavigationEntry[] }) {
  if (!isHelpShown.value) return null;
  const close = (): void => {
    isHelpShown.value = false;
  };
  const { title, rows, joined } = words.help;
  return (
    <Dialog title={title} onClose={close} answer={<Button onPress={close}>{words.help.close}</Button>}>
      <dl class="facts keys">
        <Row name={rows.help}>
          <kbd>?</kbd>
        </Row>
        <Row name={rows.escape}>
          <kbd>Esc</kbd>
        </Row>
        {shownLetters.value.map(({ key, label }) => (
          <Row key={key} name={label}>
            <kbd>{key}</kbd>
          </Row>
        ))}
        {entries.map(({ label, letter }) => (
          <Row key={letter} name={label}>
            <kbd>g</kbd> {joined} <kbd>{letter}</kbd>
          </Row>
        ))}
      </dl>
    </Dialog>
  );
}

function Row({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
