/**
 * A URL, or null for what is none. Not `URL.canParse`: once Node 20 has compiled a caller of it, it says no to every host with
 * letters beyond ASCII.
 */
export function parseUrl(raw: string): URL | null {
  try {
    return new URL(raw);
  } catch {
    return null;
  }
}
