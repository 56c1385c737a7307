import type { RefObject } from 'preact';
import { useId } from 'preact/hooks';
import { words } from '../words/en.js';

interface FieldProps {
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  readonly autocomplete: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly hint?: string;
  readonly error?: string | null;
  readonly input?: RefObject<HTMLInputElement | null>;
}

/** A field with its label, a hint and what is wrong with it. */
export function Field({ label, type, autocomplete, value, onInput, hint, error = null, input }: FieldProps) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, error !== null && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="in">
        <input
          id={id}
          ref={input}
          // The roles of the kinds differ, and none is set here.
          type={type as 'text'}
          name={autocomplete}
          autocomplete={autocomplete}
          autocapitalize="off"
          spellcheck={false}
          value={value}
          aria-invalid={error !== null}
          aria-describedby={described === '' ? undefined : described}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      </div>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  );
}

function FieldError({ id, error }: { id: string; error: string | null }) {
  return (
    <p class="wrong" id={id} role="alert">
      {error}
    </p>
  );
}

/** Turns a field’s text between dots and letters. */
export function ShowPassword({ isShown, onChange }: { isShown: boolean; onChange: (isShown: boolean) => void }) {
  return (
    <label class="check">
      <input type="checkbox" checked={isShown} onInput={({ currentTarget }) => onChange(currentTarget.checked)} />
      {words.password.show}
    </label>
  );
}
