import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SettingProps {
  readonly label: string;
  readonly text: string;
  readonly value: Signal<boolean>;
  /** Called instead of setting the value, for what has to be asked first. */
  readonly onChange?: (isOn: boolean) => void;
  /** Behind the text. */
  readonly children?: ComponentChildren;
}

/** Something that is on or off in this browser. */
export function Setting({ label, text, value, onChange, children }: SettingProps) {
  const id = useId();
  return (
    <div class="setting">
      <label class="check">
        <input
          type="checkbox"
          checked={value.value}
          aria-describedby={id}
          onInput={({ currentTarget }) => {
            if (onChange === undefined) value.value = currentTarget.checked;
            else {
              const isOn = currentTarget.checked;
              // It is on once that was allowed.
              currentTarget.checked = value.peek();
              onChange(isOn);
            }
          }}
        />
        {label}
      </label>
      <p class="hint" id={id}>
        {text}
      </p>
      {children}
    </div>
  );
}
