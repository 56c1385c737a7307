import { Parley } from '../../clients/typescript/src/parley.js';
import { accountId } from './account.js';
import { heard, holdsBack, isOffline, lost } from './connection.js';
import { noteDate } from './server-clock.js';

/** What happens when a request finds that the session has ended. */
let onSignedOut: () => void = () => undefined;

/** Calls `handler` for each request that finds that the session has ended. */
export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

/** Read to learn whether Parley can be reached again. Posted to, a wrong password is 401 too, and ends no session. */
const SESSION = '/api/v1/session';

/** As `fetch`; notes what an answer, or its absence, says about the session and the connection. */
async function observed(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const isOfSession = new URL(String(input)).pathname === SESSION;
  // Whoever reads tries again several times: without a connection all of it would pile up.
  if (isOffline.peek() && init?.method === 'GET' && !isOfSession) throw new TypeError('offline');
  let response: Response;
  try {
    response = await fetch(input, init);
  } catch (error) {
    if (init?.signal?.aborted !== true) lost();
    throw error;
  }
  heard();
  noteDate(response.headers.get('date'));
  const isSignIn = init?.method === 'POST' && isOfSession;
  if (response.status === 401 && !isSignIn) onSignedOut();
  if (response.status === 429 && init?.method === 'GET') holdsBack(Number(response.headers.get('retry-after')));
  return response;
}

/** Parley’s API. The browser’s cookie says who asks, and the address for which account. */
export const parley = new Parley({
  baseUrl: location.origin,
  headers: (): Record<string, string> => (accountId.value === null ? {} : { 'parley-account': accountId.value }),
  fetch: observed,
});

/** For what a person waits for: the outcome is shown at once. */
export const ONCE = { maxRetries: 0 } as const;
