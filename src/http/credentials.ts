import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie } from 'cookie';

/**
 * What a request authenticates with, unchecked: callers take turns by it. Blanks and other cookies around it, which the
 * sender chooses, make no other caller.
 */
export function credentialsIn(
  { authorization, cookie }: Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>,
  sessionCookie: string,
): string | undefined {
  if (authorization !== undefined) return authorization.trim().split(/\s+/).at(-1);
  return cookie === undefined ? undefined : parseCookie(cookie)[sessionCookie];
}
