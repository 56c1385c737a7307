import { computed, signal } from '@preact/signals';
import { whenSignedOut } from './api.js';
import { hasStatus } from './failure.js';
import { queries } from './query.js';
import { endSession, readSession, type Session } from './session-api.js';

/** What is known about the session of this browser. */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'none' }
  | { readonly kind: 'open'; readonly session: Session }
  | { readonly kind: 'failed'; readonly error: unknown };

export const sessionState = signal<SessionState>({ kind: 'unknown' });
/** Whether the session has ended under an open page, which stays as it is. */
export const hasEnded = signal(false);
/** The session that the page shows; null before signing in. */
export const session = computed(() => (sessionState.value.kind === 'open' ? sessionState.value.session : null));

/** What the tabs of one browser tell each other. */
type TabMessage = 'signed_in' | 'signed_out';
const tabs = new BroadcastChannel('parley');

/** Asks who has signed in. */
export async function loadSession(): Promise<void> {
  try {
    show(await readSession());
  } catch (error) {
    if (hasStatus(error, 401)) {
      if (session.value === null) sessionState.value = { kind: 'none' };
    } else if (session.value === null) {
      sessionState.value = { kind: 'failed', error };
    }
  }
}

/** Shows the session that has just begun, in other tabs too. */
export function enter(next: Session): void {
  show(next);
  tabs.postMessage('signed_in' satisfies TabMessage);
}

function show(next: Session): void {
  const before = session.value;
  // What is on the page is somebody else’s.
  if (before !== null && before.user.user_id !== next.user.user_id) {
    forget();
    location.assign('/console/');
    return;
  }
  sessionState.value = { kind: 'open', session: next };
  if (!hasEnded.value) return;
  hasEnded.value = false;
  void queries.invalidateQueries();
}

/** Ends the session, and forgets what was read under it. */
export async function signOut(): Promise<void> {
  try {
    await endSession();
  } catch (error) {
    if (!hasStatus(error, 401)) throw error;
  }
  forget();
  tabs.postMessage('signed_out' satisfies TabMessage);
}

function forget(): void {
  queries.clear();
  hasEnded.value = false;
  sessionState.value = { kind: 'none' };
}

/** Notes that the session has ended; the page stays as it is. */
export function noteSignedOut(): void {
  if (session.value !== null) hasEnded.value = true;
}

whenSignedOut(noteSignedOut);

tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
  if (data === 'signed_out') forget();
  else void loadSession();
});
