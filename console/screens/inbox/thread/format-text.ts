/** A piece of a message’s text, as WhatsApp shows it. */
export type Piece =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  | { readonly kind: 'bold' | 'italic' | 'strike'; readonly pieces: readonly Piece[] };

const MARKS: Readonly<Record<string, 'bold' | 'italic' | 'strike'>> = { '*': 'bold', _: 'italic', '~': 'strike' };

/** Code first, then addresses, then marks around words; a mark inside of a word is none. */
const SPECIAL =
  /```([^`]{1,2000})```|`([^`\n]{1,500})`|(https?:\/\/[^\s<>"“”]{1,2000})|(?<![\p{L}\p{N}*_~])([*_~])(?=[^\s*_~])([^\n]{0,500}?[^\s])\4(?![\p{L}\p{N}])/gu;
/** What ends a sentence rather than an address. */
const AFTER_LINK = ".,;:!?'’)]}*_~";
/** Marks within marks. */
const MAX_DEPTH = 3;

/** Reads bold, italic, struck and code pieces and addresses out of a text. */
export function piecesOf(text: string, depth = 0): readonly Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const say = (until: number): void => {
    if (until > end) pieces.push({ kind: 'text', text: text.slice(end, until) });
  };
  for (const match of text.matchAll(SPECIAL)) {
    const [whole, block, code, address, mark = '', inner = ''] = match;
    if (match.index < end) continue;
    const found = block ?? code;
    let piece: Piece | null = null;
    let length = whole.length;
    if (found !== undefined) piece = { kind: 'code', text: found };
    else if (address !== undefined) {
      const trimmed = withoutEnd(address);
      const href = webAddress(trimmed);
      length = trimmed.length;
      if (href !== null) piece = { kind: 'link', text: trimmed, href };
    } else {
      const kind = MARKS[mark];
      if (kind !== undefined && depth < MAX_DEPTH) piece = { kind, pieces: piecesOf(inner, depth + 1) };
    }
    if (piece === null) continue;
    say(match.index);
    pieces.push(piece);
    end = match.index + length;
  }
  say(text.length);
  return pieces;
}

/** An address of the web as a link may have it; null for anything else. */
export function webAddress(text: unknown): string | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'http:' || protocol === 'https:' ? href : null;
}

/** The host of an address, for people. */
export const hostOf = (href: string): string => new URL(href).host;

/** An address without the signs behind it that end a sentence. */
function withoutEnd(address: string): string {
  let end = address.length;
  while (end > 0 && AFTER_LINK.includes(address.charAt(end - 1))) end -= 1;
  return address.slice(0, end);
}
