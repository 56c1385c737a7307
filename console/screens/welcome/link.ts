import { addressBelow } from './address-below.js';

const PATH = /^\/console\/welcome\/?$/;

let token: string | null = null;
let destination: string | null = null;
let told: (() => void) | null = null;

/** Takes the token of a sign-in link out of the address, where the history of the browser would keep it. */
export function takeLink(): void {
  take();
  // Another link in the address of an open page loads nothing.
  addEventListener('hashchange', () => {
    if (take()) told?.();
  });
}

function take(): boolean {
  if (!PATH.test(location.pathname) || location.hash.length < 2) return false;
  token = location.hash.slice(1);
  destination = addressBelow(new URLSearchParams(location.search).get('to'));
  history.replaceState(history.state, '', '/console/welcome');
  return true;
}

/** The token, once. */
export function linkToken(): string | null {
  const taken = token;
  token = null;
  return taken;
}

/** Where the link leads after signing in: an address of the console. */
export const linkDestination = (): string => destination ?? '/console/';

/** Calls back when another token was taken, until the returned function is called. */
export function whenLinkTaken(call: () => void): () => void {
  told = call;
  return () => {
    told = null;
  };
}
