import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { accountId } from '../data/account.js';
import { loadSession, sessionState } from '../data/session.js';
import type { Session } from '../data/session-api.js';
import { LoadFailed } from '../parts/load-failed.js';
import { Skeleton } from '../parts/skeleton.js';
import { words } from '../words/en.js';
import { Entrance, Message } from './entrance.js';
import { Frame } from './frame.js';
import { Lazy } from './lazy.js';
import { addressOf, parseAddress } from './route-match.js';
import { navigate, path } from './router.js';
import { SCREENS } from './screens.js';
import { SignOutButton } from './sign-out-button.js';

const loadSignIn = () => import('../screens/sign-in/sign-in.js');
const loadWelcome = () => import('../screens/welcome/welcome.js');

const WELCOME = addressOf(null, 'welcome');
/** Paths that belong to no account. */
const WAYS_IN: readonly string[] = ['', 'sign-in', 'welcome'];

/** The whole console: the way in, or the frame with the screen of the address. */
export function App() {
  const isWelcome = useComputed(() => path.value === WELCOME);
  useEffect(() => {
    if (window.isSecureContext && !isWelcome.value && sessionState.value.kind === 'unknown') void loadSession();
  }, [isWelcome.value]);
  if (!window.isSecureContext) return <NeedsHttps />;
  const state = sessionState.value;
  if (isWelcome.value || (state.kind === 'open' && state.session.must_set_password)) {
    return <WayIn key="welcome" load={loadWelcome} title={words.password.title} />;
  }
  if (state.kind === 'none') return <WayIn key="sign-in" load={loadSignIn} title={words.signIn.title} />;
  if (state.kind === 'open') return <Inside session={state.session} />;
  return (
    <Entrance>
      {state.kind === 'unknown' ? (
        <Skeleton />
      ) : (
        <>
          <h1 tabIndex={-1}>{words.entrance.unreachable}</h1>
          <LoadFailed what={words.states.session} error={state.error} retry={loadSession} />
        </>
      )}
    </Entrance>
  );
}

function WayIn({ load, title }: { load: typeof loadSignIn; title: string }) {
  return (
    <Entrance>
      <Lazy load={load} title={title} />
    </Entrance>
  );
}

function NeedsHttps() {
  const { title, text } = words.entrance.https;
  return (
    <Entrance>
      <Message title={title} text={text} />
    </Entrance>
  );
}

/** The frame in the account of the address; who comes without one is led to the first. */
function Inside({ session }: { session: Session }) {
  const { accountId: named, path: below } = parseAddress(path.value);
  const [first] = session.accounts;
  const isHome = named === null || below === '';
  const screen = WAYS_IN.includes(below) ? SCREENS[0].pattern : below;
  const home = first === undefined ? null : addressOf(named ?? first.account_id, screen);
  accountId.value = named;
  useEffect(() => {
    if (isHome && home !== null) navigate(home, { replace: true });
  }, [isHome, home]);
  if (first === undefined) {
    const { title, text } = words.entrance.noAccount;
    return (
      <Entrance>
        <Message title={title} text={text} />
        <SignOutButton />
      </Entrance>
    );
  }
  if (isHome) return null;
  return <Frame session={session} accountId={named} path={below} />;
}
