import { shortcuts } from '../data/preferences.js';
import { Button } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { words } from '../words/en.js';
import { keyboardWords } from '../words/keyboard.js';
import { shownLetters } from './letters.js';
import type { NavigationEntry } from './screens.js';
import { type Shortcut, shortcutGroups } from './shortcut-groups.js';

interface HelpDialogProps {
  readonly entries: readonly NavigationEntry[];
  readonly onClose: () => void;
}

/** The list of all shortcuts, and which of them mean something on the page. */
export function HelpDialog({ entries, onClose }: HelpDialogProps) {
  const shown = shownLetters.value.map(({ label }) => label);
  return (
    <Dialog
      title={words.help.title}
      onClose={onClose}
      answer={<Button onPress={onClose}>{keyboardWords.close}</Button>}
    >
      {!shortcuts.value && <p class="dim sm">{keyboardWords.off}</p>}
      <div class="key-groups">
        {shortcutGroups(entries).map(({ title, shortcuts: rows, marks }) => (
          <section key={title}>
            <h3>
              {title} {marks.some((mark) => shown.includes(mark)) && <span class="pill">{keyboardWords.here}</span>}
            </h3>
            <dl class="facts keys">
              {rows.map((row) => (
                <Row key={row.label} {...row} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Row({ label, keys }: Shortcut) {
  const [first, second] = keys;
  return (
    <>
      <dt>{label}</dt>
      <dd>
        <kbd>{first}</kbd>
        {second !== undefined && (
          <>
            {' '}
            {keyboardWords.joined} <kbd>{second}</kbd>
          </>
        )}
      </dd>
    </>
  );
}
