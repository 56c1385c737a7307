import { shortcuts, THEMES, theme } from '../../data/preferences.js';
import { isHelpShown } from '../../frame/help-shown.js';
import { words } from '../../words/en.js';

/** What is kept in this browser: its theme, and whether it has shortcuts. */
export function Browser() {
  const { you } = words;
  return (
    <div class="body fields">
      <fieldset class="seg">
        <legend class="lab">{you.theme}</legend>
        {THEMES.map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="theme"
              checked={theme.value === one}
              onInput={() => {
                theme.value = one;
              }}
            />
            <span>{you.themes[one]}</span>
          </label>
        ))}
      </fieldset>
      <div>
        <label class="check">
          <input
            type="checkbox"
            checked={shortcuts.value}
            onInput={({ currentTarget }) => {
              shortcuts.value = currentTarget.checked;
            }}
          />
          {you.shortcuts}
        </label>
        <p class="hint">
          {you.shortcutsText}{' '}
          <button
            class="link"
            type="button"
            onClick={() => {
              isHelpShown.value = true;
            }}
          >
            {you.showShortcuts}
          </button>
        </p>
      </div>
    </div>
  );
}
