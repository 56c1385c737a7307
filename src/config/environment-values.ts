import { isIP } from 'node:net';

/** What a process does. */
export type Role = 'api' | 'worker';

/** A 256-bit key and the id under which ciphertexts name it. */
export interface EncryptionKey {
  readonly id: string;
  readonly key: Buffer;
}

// Each parser throws an Error whose message continues the sentence "<VARIABLE> …".

/** A whole number from `least` to `most`. */
export const parseNumber =
  (least: number, most: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^-?\d+$/.test(value) || number < least || number > most) {
      throw new Error(`must be a whole number from ${least} to ${most} (got ${value})`);
    }
    return number;
  };

/** An absolute URL with one of `protocols`. The value itself is not repeated: it may hold a password. */
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

/** More proxies in a row than anybody has. */
const MAX_HOPS = 100;

/**
 * The proxies in front whose `X-Forwarded-For` is believed: how many there are (`true` is one, `false` none), or their
 * addresses as CIDRs.
 */
export const parseTrustedProxies = (value: string): number | readonly string[] => {
  try {
    if (/^\d+$/.test(value)) return parseNumber(0, MAX_HOPS)(value);
    if (/^[a-z]+$/i.test(value)) return parseBoolean(value) ? 1 : 0;
    const cidrs = parseCidrs(value);
    // Among proxies that hold every address, anybody could claim to be any other.
    if (cidrs.length > 0 && !cidrs.some((cidr) => /\/0+$/.test(cidr))) return cidrs;
  } catch {
    // Said below, for all three at once.
  }
  throw new Error(
    `must be true, false, a number of proxies from 0 to ${MAX_HOPS}, or their addresses as CIDRs separated by commas, ` +
      `such as 10.0.0.0/8,2001:db8::/32 (got ${value})`,
  );
};

/** `CATEGORY=credits,…`, credits being whole numbers. */
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

/** 32 bytes in base64, or `id:base64,…`. The value is never repeated in the error. */
export const parseEncryptionKeys = (value: string): EncryptionKey[] => {
  const keys = listOf(value).map((item, index): EncryptionKey => {
    const colon = item.indexOf(':');
    const id = colon < 0 ? 'k1' : item.slice(0, colon);
    const encoded = item.slice(colon + 1);
    const key = Buffer.from(encoded, 'base64');
    if (!/^[A-Za-z0-9+/_-]+=*$/.test(encoded) || key.length !== 32 || !/^[\w-]{1,32}$/.test(id)) {
      throw new Error(`must hold 32 bytes in base64, or id:base64 pairs (entry ${index + 1} does not)`);
    }
    return { id, key };
  });
  if (keys.length === 0) throw new Error('must hold at least one key');
  if (new Set(keys.map(({ id }) => id)).size !== keys.length) throw new Error('must not repeat a key id');
  return keys;
};
