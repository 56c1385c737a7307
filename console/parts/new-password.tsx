import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { failureOf, hasStatus } from '../data/failure.js';
import { setPassword } from '../data/session-api.js';
import { words } from '../words/en.js';
import { Button } from './button.js';
import { Field, ShowPassword } from './field.js';
import { Notice } from './notice.js';

/** Characters of a password. */
export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 128;

interface NewPasswordProps {
  /** Whose password it is, for the browser's own list of passwords. */
  readonly email: string;
  readonly submit: string;
  /** Whether the present password is asked for. */
  readonly asksCurrent?: boolean;
  /** Whether it is what the page is for. */
  readonly isFocused?: boolean;
  readonly onSet: () => Promise<void> | void;
}

/** What is wrong with a new password as far as the page can tell; null when nothing is. */
export function passwordFault(password: string): string | null {
  const { length } = [...password];
  if (length < MIN_PASSWORD) return words.password.tooShort(length, MIN_PASSWORD);
  return length > MAX_PASSWORD ? words.password.tooLong(length, MAX_PASSWORD) : null;
}

/** Chooses a password. */
export function NewPassword({ email, submit, asksCurrent = false, isFocused = false, onSet }: NewPasswordProps) {
  const [current, next, isShown] = [useSignal(''), useSignal(''), useSignal(false)];
  const [currentFault, nextFault] = [useSignal<string | null>(null), useSignal<string | null>(null)];
  const [failure, isBusy] = [useSignal<string | null>(null), useSignal(false)];
  const [currentInput, nextInput] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  useEffect(() => {
    if (isFocused) nextInput.current?.focus();
  }, []);

  const refuse = (fault: typeof nextFault, text: string, input: RefObject<HTMLInputElement | null>): void => {
    fault.value = text;
    input.current?.focus();
  };
  const save = async (): Promise<void> => {
    currentFault.value = null;
    failure.value = null;
    nextFault.value = passwordFault(next.value);
    if (nextFault.value !== null) return nextInput.current?.focus();
    isBusy.value = true;
    try {
      // Who has no password yet leaves the present one empty.
      await setPassword(next.value, current.value === '' ? undefined : current.value);
      current.value = '';
      next.value = '';
      await onSet();
    } catch (error) {
      if (asksCurrent && hasStatus(error, 403)) refuse(currentFault, words.password.wrongCurrent, currentInput);
      else if (asksCurrent && hasStatus(error, 400) && error.detail.startsWith('current')) {
        refuse(currentFault, words.password.emptyCurrent, currentInput);
      } else if (hasStatus(error, 400, 422)) refuse(nextFault, error.detail, nextInput);
      // Inside, a dialog asks to sign in again; on the way in nothing else would say it.
      else if (!asksCurrent || !hasStatus(error, 401)) failure.value = failureOf(error).text;
    } finally {
      isBusy.value = false;
    }
  };

  const kind = isShown.value ? 'text' : 'password';
  const { password } = words;
  return (
    <form
      class="fields"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy.value) void save();
      }}
    >
      {failure.value !== null && <Notice kind="bad">{failure.value}</Notice>}
      <input
        class="hide"
        type="email"
        autocomplete="username"
        value={email}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      {asksCurrent && (
        <Field
          label={password.current}
          type={kind}
          autocomplete="current-password"
          value={current.value}
          onInput={(value) => {
            current.value = value;
          }}
          error={currentFault.value}
          input={currentInput}
        />
      )}
      <Field
        label={password.next}
        type={kind}
        autocomplete="new-password"
        value={next.value}
        onInput={(value) => {
          next.value = value;
        }}
        hint={password.hint(MIN_PASSWORD, MAX_PASSWORD)}
        error={nextFault.value}
        input={nextInput}
      />
      <ShowPassword
        isShown={isShown.value}
        onChange={(shown) => {
          isShown.value = shown;
        }}
      />
      <Button isPrimary={isFocused} isBusy={isBusy.value} busyLabel={password.busy}>
        {submit}
      </Button>
    </form>
  );
}
