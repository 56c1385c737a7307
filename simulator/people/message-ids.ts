import { createHash, randomBytes } from 'node:crypto';

/**
 * What a message id contains, in the order of its bytes: the peer (the person with whom the business talks), who sent
 * the message, and the token that identifies it. Ids of one message with different peers have the same token.
 */
export interface MessageIdParts {
  /** The person's number in the network's spelling, or the user id. */
  peer: string;
  /** Whether the business sent the message. */
  isOurs: boolean;
  token: string;
}

const PREFIX = 'wamid.';
/** What stands before the peer and after it; the second part says whether the peer is a number or a user id. */
const START = '\x1c\x18';
const NUMBER_PEER = '\x15\x02\x00';
const USER_PEER = '\x15\x14\x00';
const OURS = '\x11\x18';
const THEIRS = '\x12\x18';
const END = '\x00';
const INBOUND_TOKEN_BYTES = 10;

const isDigits = (peer: string): boolean => {
  const first = peer.charCodeAt(0);
  return first >= 48 && first <= 57;
};

/** A text after its length, which is written in groups of 7 bits, lowest first. */
function withLength(text: string): string {
  let rest = text.length;
  let length = '';
  for (; rest > 127; rest >>>= 7) length += String.fromCharCode((rest & 127) | 128);
  return length + String.fromCharCode(rest) + text;
}

/**
 * The id `wamid.…`, laid out as the network's ids are. Peer and token must be ASCII. Works on strings, because for so
 * few bytes each call to a buffer would cost more than the rest.
 */
export function messageId({ peer, isOurs, token }: MessageIdParts): string {
  const peerKind = isDigits(peer) ? NUMBER_PEER : USER_PEER;
  return PREFIX + btoa(START + withLength(peer) + peerKind + (isOurs ? OURS : THEIRS) + withLength(token) + END);
}

/** Reads the text whose length is at `at`; null if it does not fit. */
function readText(bytes: Buffer, at: number): { text: string; end: number } | null {
  let length = 0;
  let position = at;
  for (let shift = 0; shift <= 14; shift += 7) {
    const byte = bytes[position] ?? 0;
    position += 1;
    length |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  const end = position + length;
  return length === 0 || end > bytes.length ? null : { text: bytes.toString('latin1', position, end), end };
}

/** Decodes an id; null if it has another layout. */
export function readMessageId(id: string): MessageIdParts | null {
  if (!id.startsWith(PREFIX)) return null;
  const bytes = Buffer.from(id.slice(PREFIX.length), 'base64');
  if (bytes[0] !== 0x1c || bytes[1] !== 0x18) return null;
  const peer = readText(bytes, 2);
  if (!peer) return null;
  const [mark, , end, sender, tokenMark] = bytes.subarray(peer.end, peer.end + 5);
  const token = readText(bytes, peer.end + 5);
  if (mark !== 0x15 || end !== 0 || tokenMark !== 0x18 || !token || bytes[token.end] !== 0) return null;
  return { peer: peer.text, isOurs: sender === OURS.charCodeAt(0), token: token.text };
}

/** The id under which the same message is known when its peer is named `peer`; null if the id cannot be decoded. */
export function scopedTo(peer: string, id: string): string | null {
  const parts = readMessageId(id);
  return parts && messageId({ ...parts, peer });
}

/** A new id for a message from `peer`; the same `seed` gives the same id. */
export function inboundMessageId(peer: string, seed?: string): string {
  const bytes = seed === undefined ? randomBytes(INBOUND_TOKEN_BYTES) : createHash('sha256').update(seed).digest();
  const token = bytes.toString('hex', 0, INBOUND_TOKEN_BYTES).toUpperCase();
  return messageId({ peer, isOurs: false, token });
}
