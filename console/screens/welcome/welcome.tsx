import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { failureOf, hasStatus } from '../../data/failure.js';
import { enter, loadSession, session } from '../../data/session.js';
import { signInWith } from '../../data/session-api.js';
import { navigate } from '../../frame/router.js';
import { Button } from '../../parts/button.js';
import { NewPassword } from '../../parts/new-password.js';
import { Notice } from '../../parts/notice.js';
import { Skeleton } from '../../parts/skeleton.js';
import { words } from '../../words/en.js';
import { linkDestination, linkToken, whenLinkTaken } from './link.js';

type State =
  | 'checking'
  | 'password'
  | 'spent'
  | 'missing'
  | { readonly token: string /** Null before the first try. */; readonly error: unknown };

/** The way in by a link, which works once; then a password is chosen. */
export function Screen() {
  const state = useSignal<State>(session.value?.must_set_password === true ? 'password' : 'checking');

  const check = async (token: string): Promise<void> => {
    state.value = 'checking';
    try {
      const answer = await signInWith({ link: token });
      if ('organisations' in answer) return;
      enter(answer);
      if (answer.must_set_password) state.value = 'password';
      else navigate(linkDestination(), { replace: true });
    } catch (error) {
      state.value = hasStatus(error, 400, 401, 422) ? 'spent' : { error, token };
    }
  };
  const begin = async (): Promise<void> => {
    const token = linkToken();
    // Programs that only look at links, such as mail scanners, press nothing and so do not use them up.
    if (token !== null) {
      state.value = { token, error: null };
      return;
    }
    await loadSession();
    state.value = session.value?.must_set_password === true ? 'password' : 'missing';
  };
  useEffect(() => {
    if (state.value === 'checking') void begin();
    return whenLinkTaken(() => void begin());
  }, []);

  const current = state.value;
  if (current === 'password') return <ChoosePassword />;
  if (current === 'checking') {
    return (
      <>
        <h1 tabIndex={-1}>{words.welcome.checking}</h1>
        <Skeleton />
      </>
    );
  }
  if (typeof current === 'object') {
    return (
      <>
        <h1 tabIndex={-1}>{words.welcome.ready.title}</h1>
        <p class="dim">{words.welcome.ready.text}</p>
        {current.error !== null && <Notice kind="bad">{failureOf(current.error).text}</Notice>}
        <Button isPrimary onPress={() => void check(current.token)}>
          {current.error === null ? words.welcome.ready.go : words.states.retry}
        </Button>
      </>
    );
  }
  const { title, text } = words.welcome[current];
  return (
    <>
      <h1 tabIndex={-1}>{title}</h1>
      <p class="dim">{text}</p>
      <a class="link" href="/console/sign-in">
        {words.welcome.toSignIn}
      </a>
    </>
  );
}

function ChoosePassword() {
  const { title, greeting, submit } = words.password;
  const user = session.value?.user;
  const finish = (): void => {
    if (session.value !== null) enter({ ...session.value, must_set_password: false });
    navigate(linkDestination(), { replace: true });
  };
  return (
    <>
      <h1 tabIndex={-1}>{title}</h1>
      <p class="dim">{greeting(user?.full_name ?? '')}</p>
      <NewPassword email={user?.email ?? ''} submit={submit} isFocused onSet={finish} />
    </>
  );
}
