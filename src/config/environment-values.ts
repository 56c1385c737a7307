import { isIP } from 'node:net';

export type Role = 'api' | 'worker';

/** A 256-bit key, and the id that ciphertexts refer to it by. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

// Each parser throws an Error whose message continues the sentence "<VARIABLE> …".

/** A whole number from `min` to `max`. */
export const parseNumber =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < min || number > max) {
      throw new Error(`must be a whole number from ${min} to ${max} (got ${value})`);
    }
    return number;
  };

/** An absolute URL with one of `protocols`. The error does not repeat the value, which may contain a password. */
export const parseUrl =
  (...protocols: string[]) =>
  (value: string): string => {
    const expected = `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`;
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) throw new Error(expected);
    return value;
  };

export const parseOneOf =
  (...choices: string[]) =>
  (value: string): string => {
    if (!choices.includes(value)) throw new Error(`must be one of ${choices.join(', ')} (got ${value})`);
    return value;
  };

/** `directory:` and an absolute path. @returns the path */
export const parseDirectoryStore = (value: string): string => {
  const path = /^directory:(\/.+)$/.exec(value)?.[1];
  if (path === undefined) throw new Error(`must be directory: and an absolute path (got ${value})`);
  return path;
};

/** A secret of at least `min` characters. The error does not repeat the value. */
export const parseSecret =
  (min: number) =>
  (value: string): string => {
    const { length } = [...value];
    if (length < min) throw new Error(`must have at least ${min} characters (got ${length})`);
    return value;
  };

/** A share from 0 to 1, such as 0.05. */
export const parseRatio = (value: string): number => {
  const ratio = Number(value);
  if (!/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(value) || ratio > 1)
    throw new Error(`must be a number from 0 to 1 (got ${value})`);
  return ratio;
};

/** `name=value,…`, values percent-encoded. The error does not repeat a value, which may be a key. */
export const parseNameValues = (value: string): Record<string, string> =>
  Object.fromEntries(
    listOf(value).map((item, index) => {
      const equals = item.indexOf('=');
      try {
        if (equals < 1) throw new Error();
        return [item.slice(0, equals).trim(), decodeURIComponent(item.slice(equals + 1).trim())];
      } catch {
        throw new Error(
          `must look like name=value,name=value, with values percent-encoded (entry ${index + 1} does not)`,
        );
      }
    }),
  );

const parseBoolean = (value: string): boolean => {
  if (['true', '1', 'yes', 'on'].includes(value.toLowerCase())) return true;
  if (['false', '0', 'no', 'off'].includes(value.toLowerCase())) return false;
  throw new Error(`must be true or false (got ${value})`);
};

const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

/** Origins as browsers send them: scheme, host and port, without a path. */
export const parseOrigins = (value: string): string[] => {
  const origins = listOf(value);
  const wrong = origins.find(
    (origin) => !/^https?:/.test(origin) || !URL.canParse(origin) || new URL(origin).origin !== origin,
  );
  if (wrong !== undefined) {
    throw new Error(`must be origins separated by commas, such as https://app.example.com (got ${wrong})`);
  }
  return origins;
};

export const parseRoles = (value: string): ReadonlySet<Role> => {
  const roles = listOf(value);
  const unknown = roles.find((role) => role !== 'api' && role !== 'worker');
  if (roles.length === 0 || unknown !== undefined) {
    throw new Error(`must be api, worker or api,worker (got ${value})`);
  }
  return new Set(roles as Role[]);
};

/** CIDRs or single addresses. */
export const parseCidrs = (value: string): string[] => {
  const cidrs = listOf(value);
  for (const cidr of cidrs) {
    const [address = '', bits, surplus] = cidr.split('/');
    const family = isIP(address);
    const validBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
    if (family === 0 || !validBits || surplus !== undefined) {
      throw new Error(`must be CIDRs separated by commas, such as 127.0.0.0/8 (got ${cidr})`);
    }
  }
  return cidrs;
};

/** More proxies than anyone chains. */
const MAX_HOPS = 100;

/**
 * The proxies in front of Parley whose `X-Forwarded-For` is trusted: their number (`true` is one, `false` none), or
 * their CIDRs.
 */
export const parseTrustedProxies = (value: string): number | readonly string[] => {
  try {
    if (/^\d+$/.test(value)) return parseNumber(0, MAX_HOPS)(value);
    if (/^[a-z]+$/i.test(value)) return parseBoolean(value) ? 1 : 0;
    const cidrs = parseCidrs(value);
    // If every address is a trusted proxy, any client can spoof its address.
    if (cidrs.length > 0 && !cidrs.some((cidr) => /\/0+$/.test(cidr))) return cidrs;
  } catch {
    // The error below covers all three formats.
  }
  throw new Error(
    `must be true, false, a number of proxies from 0 to ${MAX_HOPS}, or their addresses as CIDRs separated by commas, ` +
      `such as 10.0.0.0/8,2001:db8::/32 (got ${value})`,
  );
};

/** `CATEGORY=credits,…`, in whole credits. */
export const parsePrices = (value: string): Record<string, number> => {
  const prices: Record<string, number> = { MARKETING: 1, UTILITY: 1, AUTHENTICATION: 1 };
  for (const item of listOf(value)) {
    const [category = '', credits = ''] = item.split('=').map((part) => part.trim());
    if (!(category in prices) || !/^\d{1,6}$/.test(credits)) {
      throw new Error(`must look like MARKETING=1,UTILITY=1,AUTHENTICATION=1 (got ${item})`);
    }
    prices[category] = Number(credits);
  }
  return prices;
};

/** 32 bytes in base64, or `id:base64,…`. The error never repeats the value. */
export const parseEncryptionKeys = (value: string): EncryptionKey[] => {
  const keys = listOf(value).map((item, index): EncryptionKey => {
    const colon = item.indexOf(':');
    const id = colon < 0 ? 'k1' : item.slice(0, colon);
    const encoded = item.slice(colon + 1);
    const key = Buffer.from(encoded, 'base64');
    if (!/^[A-Za-z0-9+/_-]+=*$/.test(encoded) || key.length !== 32 || !/^[\w-]{1,32}$/.test(id)) {
      throw new Error(`must be 32 bytes in base64, or a list of id:base64 pairs (entry ${index + 1} is neither)`);
    }
    return { id, key };
  });
  if (keys.length === 0) throw new Error('must contain at least one key');
  if (new Set(keys.map(({ id }) => id)).size !== keys.length) throw new Error('must not repeat a key id');
  return keys;
};

/** What a cookie may be called (RFC 6265). */
const COOKIE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

export function parseCookieName(value: string): string {
  if (!COOKIE_NAME.test(value)) throw new Error(`must be 1 to 64 letters, digits, - and _ (got ${value})`);
  return value;
}
