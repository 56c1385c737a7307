import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { failureOf, hasStatus } from '../../data/failure.js';
import { enter } from '../../data/session.js';
import { type ChoosableOrganisation, signInWith } from '../../data/session-api.js';
import { Button } from '../../parts/button.js';
import { Field } from '../../parts/field.js';
import { Notice } from '../../parts/notice.js';
import { words } from '../../words/en.js';
import { OrganisationChoice } from './organisation-choice.js';
import { useWait } from './use-wait.js';

/** Email and password, then the organisation if the password fits several. @param email whose session has ended */
export function SignInForm({ email: known }: { email?: string }) {
  const [email, password] = [useSignal(known ?? ''), useSignal('')];
  const [isBusy, failure] = [useSignal(false), useSignal<string | null>(null)];
  const empty = useSignal<'email' | 'password' | null>(null);
  const organisations = useSignal<readonly ChoosableOrganisation[] | null>(null);
  const [emailInput, passwordInput] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  const wait = useWait();

  useEffect(() => {
    if (organisations.value === null) (email.value === '' ? emailInput : passwordInput).current?.focus();
  }, [organisations.value]);

  const submit = async (organisationId?: string): Promise<void> => {
    failure.value = null;
    empty.value = email.value.trim() === '' ? 'email' : password.value === '' ? 'password' : null;
    if (empty.value !== null) return (empty.value === 'email' ? emailInput : passwordInput).current?.focus();
    isBusy.value = true;
    try {
      const chosen = organisationId === undefined ? {} : { organisation_id: organisationId };
      const answer = await signInWith({ email: email.value.trim(), password: password.value, ...chosen });
      if ('organisations' in answer) organisations.value = answer.organisations;
      else enter(answer);
    } catch (error) {
      organisations.value = null;
      explain(error);
    } finally {
      isBusy.value = false;
    }
  };

  const explain = (error: unknown): void => {
    if (hasStatus(error, 401)) failure.value = words.signIn.wrong;
    else if (hasStatus(error, 429)) {
      failure.value = words.signIn.tooMany;
      wait.begin(error.retryAfterSeconds ?? 0);
    } else failure.value = failureOf(error).text;
    passwordInput.current?.focus();
    passwordInput.current?.select();
  };

  if (organisations.value !== null) {
    return (
      <OrganisationChoice
        organisations={organisations.value}
        isBusy={isBusy.value}
        choose={submit}
        leave={() => {
          organisations.value = null;
          password.value = '';
        }}
      />
    );
  }
  const { signIn } = words;
  return (
    <form
      class="fields"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy.value && wait.seconds.value === 0) void submit();
      }}
    >
      {failure.value !== null && <Notice kind="bad">{failure.value}</Notice>}
      <Field
        label={signIn.email}
        type="email"
        autocomplete="username"
        value={email.value}
        onInput={(value) => {
          email.value = value;
        }}
        error={empty.value === 'email' ? signIn.empty.email : null}
        input={emailInput}
      />
      <Field
        label={signIn.password}
        type="password"
        autocomplete="current-password"
        value={password.value}
        onInput={(value) => {
          password.value = value;
        }}
        error={empty.value === 'password' ? signIn.empty.password : null}
        input={passwordInput}
      />
      <Button
        isPrimary
        isBusy={isBusy.value}
        busyLabel={signIn.busy}
        refusal={wait.seconds.value > 0 ? signIn.waiting(wait.seconds.value) : null}
      >
        {signIn.submit}
      </Button>
      <p class="faint xs">{signIn.forgotten}</p>
    </form>
  );
}
