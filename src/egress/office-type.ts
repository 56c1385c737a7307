import { markedEncoding } from '../values/byte-order-mark.js';
import { DOC, DOCX, HEAD_BYTES, PPT, PPTX, TXT } from './media-limits.js';

// Detects documents that share a container format or have no signature, which file-type cannot tell apart.

const CFB_STREAMS = new Map([
  ['WordDocument', DOC],
  ['PowerPoint Document', PPT],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
]);

/**
 * Tells DOC, PPT and XLS apart by the stream names in the directory of their compound file ([MS-CFB] 2.2, 2.6);
 * undefined when the directory is not within `head`.
 */
export function cfbType(head: Buffer): string | undefined {
  if (head.length < 512) return undefined;
  const sectorShift = head.readUInt16LE(30);
  if (sectorShift !== 9 && sectorShift !== 12) return undefined;
  const directory = (head.readUInt32LE(48) + 1) * 2 ** sectorShift;
  for (let entry = directory; entry + 128 <= head.length; entry += 128) {
    const nameBytes = Math.min(64, head.readUInt16LE(entry + 64));
    const name = head.toString('utf16le', entry, entry + Math.max(0, nameBytes - 2));
    const type = CFB_STREAMS.get(name);
    if (type !== undefined) return type;
  }
  return undefined;
}

const ZIP_ENTRY = Buffer.from('PK\u0003\u0004', 'latin1');
const OFFICE_FOLDERS: readonly (readonly [string, string])[] = [
  ['word/', DOCX],
  ['ppt/', PPTX],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
];
const OFFICE_PARTS = /^(\[Content_Types\]\.xml|_rels\/|docProps\/|customXml\/|word\/|ppt\/)/;

/**
 * Tells DOCX, PPTX and XLSX apart by the names of their zip entries. A zip that starts like an office document but
 * gives no further clue counts as `declared`; undefined for any other zip.
 */
export function zipType(head: Buffer, declared: string | undefined): string | undefined {
  const names: string[] = [];
  for (let at = 0; at >= 0 && at + 30 <= head.length; at = head.indexOf(ZIP_ENTRY, at + 4)) {
    names.push(head.toString('latin1', at + 30, at + 30 + head.readUInt16LE(at + 26)));
  }
  for (const [folder, type] of OFFICE_FOLDERS) {
    if (names.some((name) => name.startsWith(folder))) return type;
  }
  const [first = ''] = names;
  return first === '' || OFFICE_PARTS.test(first) ? declared : undefined;
}

/** Bytes that never occur in text (WHATWG MIME Sniffing, binary data bytes). */
const BINARY = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/** How HTML documents start (WHATWG MIME Sniffing, 7.1). */
const HTML =
  /^\s*<(?:!--|(?:!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|svg|meta|link)[\s/>])/i;
const XML = /^\s*<\?xml\s/i;
const RTF = /^\{\\rtf/;

/**
 * `text/plain` for text in that charset or, with a byte order mark, UTF-16. HTML, XML and RTF are not plain text and get
 * their own types. Undefined for anything else.
 */
export function textType(head: Buffer, charset = 'utf-8'): string | undefined {
  const text = decode(head, charset);
  if (text === undefined || text === '' || BINARY.test(text)) return undefined;
  if (HTML.test(text)) return 'text/html';
  if (XML.test(text)) return 'application/xml';
  return RTF.test(text) ? 'application/rtf' : TXT;
}

function decode(head: Buffer, charset: string): string | undefined {
  const encoding = markedEncoding(head) ?? charset;
  try {
    // A truncated head may end in the middle of a character.
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: head.length >= HEAD_BYTES });
  } catch {
    return undefined;
  }
}
