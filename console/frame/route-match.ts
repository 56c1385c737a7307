/** The values of a pattern’s parameters, by their names. */
export type RouteParameters = Readonly<Record<string, string>>;

/** The parts of an address of the console. */
export interface ConsoleAddress {
  /** Null for addresses that belong to no account, such as that of signing in. */
  readonly accountId: string | null;
  /** What follows the account, without slashes at its ends. */
  readonly path: string;
}

const BASE = '/console';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Takes an address apart: `/console/<account_id>/settings/you`. */
export function parseAddress(pathname: string): ConsoleAddress {
  const [first = '', ...rest] = pathname.slice(BASE.length).split('/').filter(Boolean);
  return UUID.test(first)
    ? { accountId: first.toLowerCase(), path: rest.join('/') }
    : { accountId: null, path: [first, ...rest].join('/') };
}

/** The address of a screen, in an account or in none. */
export const addressOf = (accountId: string | null, path: string): string =>
  [BASE, accountId, path].filter((part) => part !== null).join('/');

/**
 * Compares a path with a pattern such as `campaigns/:id`.
 *
 * @returns the parameters; null when it does not match
 */
export function matchRoute(pattern: string, path: string): RouteParameters | null {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? '';
    if (part.startsWith(':')) {
      const decoded = unescaped(value);
      if (decoded === null || decoded === '') return null;
      parameters[part.slice(1)] = decoded;
    } else if (part !== value) return null;
  }
  return parameters;
}

/** Null for text that no address has. */
function unescaped(value: string): string | null {
  try {
    return decodeURIComponent(value);
  } catch {
    return null;
  }
}
