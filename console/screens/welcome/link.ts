let token: string | null = null;

/** Takes the token of a sign-in link out of the address, where the history of the browser would keep it. */
export function takeLink(): void {
  if (location.pathname !== '/console/welcome' || location.hash.length < 2) return;
  token = location.hash.slice(1);
  history.replaceState(history.state, '', location.pathname);
}

/** The token, once. */
export function linkToken(): string | null {
  const taken = token;
  token = null;
  return taken;
}
