/**
 * Parses a URL; null when it is invalid. We don't use `URL.canParse`: once Node 20 has compiled a caller of it, it
 * rejects every host with non-ASCII letters.
 */
export function urlOrNull(raw: string): URL | null {
  try {
    return new URL(raw);
  } catch {
    return null;
  }
}
