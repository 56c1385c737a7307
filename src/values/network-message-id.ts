/** What the network's id of a message consists of. */
export interface NetworkMessageId {
  /** The number or user id of the person that the id is scoped to. */
  readonly peer: string;
  /** Letters and digits; the same in all ids of one message. */
  readonly token: string;
}

const FORM = /^wamid\.([A-Za-z0-9+/_-]+)={0,2}$/;
const TOKEN = /^[A-Za-z0-9]+$/;
/** Ids with the longest user ids have about 280 characters. */
const MAX_LENGTH = 512;

/** A length and as many characters follow. */
const STRING = 0x18;
const HEAD = [0x1c, STRING];
const END = 0x00;
/** How many bytes may be between peer and token; there are four. */
const MAX_BETWEEN = 8;

/**
 * Takes apart the network's id of a message. Its layout is not documented: `wamid.` and, in base64, a head, the peer, a
 * few bytes about both, the token, an end. Some ids are not built like this.
 *
 * @returns null when the id cannot be taken apart
 */
export function readNetworkMessageId(id: string): NetworkMessageId | null {
  const base64 = id.length > MAX_LENGTH ? undefined : FORM.exec(id)?.[1];
  if (base64 === undefined) return null;
  const bytes = Buffer.from(base64, 'base64');
  if (bytes[0] !== HEAD[0] || bytes[1] !== HEAD[1]) return null;
  const peer = stringAt(bytes, HEAD.length);
  if (peer === null) return null;
  for (let at = peer.end; at <= peer.end + MAX_BETWEEN; at++) {
    const token = bytes[at] === STRING ? stringAt(bytes, at + 1) : null;
    if (token === null || token.end !== bytes.length - 1 || bytes[token.end] !== END) continue;
    return TOKEN.test(token.text) ? { peer: peer.text, token: token.text } : null;
  }
  return null;
}

/** Reads a string and its length, which has a second byte when it is over 127. */
function stringAt(bytes: Buffer, at: number): { readonly text: string; readonly end: number } | null {
  const [low = 0, high = 0] = bytes.subarray(at, at + 2);
  const isLong = low > 127;
  if (isLong && high > 127) return null;
  const start = at + (isLong ? 2 : 1);
  const end = start + (isLong ? low - 128 + high * 128 : low);
  return end === start || end > bytes.length ? null : { text: bytes.toString('latin1', start, end), end };
}

/**
 * What an id with this token contains: the token in base64, without the characters that depend on its neighbours, for
 * each of the three places in which it may begin.
 */
export const tokenInBase64 = (token: string): string[] =>
  [0, 1, 2].map((offset) => {
    const base64 = Buffer.from('-'.repeat(offset) + token).toString('base64');
    return base64.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + token.length) * 8) / 6));
  });

/** Whether two ids name one message: they are equal, or forms of one for different persons. */
export function areOneMessage(one: string | null, other: string | null | undefined): boolean {
  if (one === null || other === null || other === undefined) return false;
  const token = readNetworkMessageId(one)?.token;
  return one === other || (token !== undefined && token === readNetworkMessageId(other)?.token);
}
