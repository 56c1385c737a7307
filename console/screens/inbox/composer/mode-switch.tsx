import { inboxComposerWords } from '../../../words/inbox-composer.js';
import type { Mode } from './drafts.js';

interface ModeSwitchProps {
  readonly mode: Mode;
  readonly isClosed: boolean;
  readonly onChange: (mode: Mode) => void;
  /** With a pointer; who uses the keys stays where they are. */
  readonly onClick: () => void;
}

/** Whether one writes to the person or to colleagues. */
export function ModeSwitch({ mode, isClosed, onChange, onClick }: ModeSwitchProps) {
  const words = inboxComposerWords.modes;
  // Of a message only a template is left once the window is closed.
  const first = isClosed ? words.template : words.message;
  return (
    <fieldset class="seg">
      <legend class="hide">{words.legend}</legend>
      {(['message', 'note'] as const).map((one) => (
        <label key={one}>
          <input
            type="radio"
            name="composer-mode"
            value={one}
            checked={(mode === 'note') === (one === 'note')}
            onChange={() => onChange(one)}
            onClick={({ detail }) => detail > 0 && onClick()}
          />
          <span>{one === 'note' ? words.note : first}</span>
        </label>
      ))}
    </fieldset>
  );
}
