import { fileTypeFromBuffer } from 'file-type/core';
import { cfbType } from '../../egress/office-type.js';
import { markedEncoding } from '../../values/byte-order-mark.js';

/** Where a spreadsheet program writes CSV. */
const FROM_EXCEL = 'in Excel choose File > Save As and the type “CSV UTF-8 (Comma delimited)”, and import that file';
const FROM_LIBRE_OFFICE = 'in LibreOffice choose File > Save As and the type “Text CSV”, and import that file';
const FROM_NUMBERS = 'in Numbers choose File > Export To > CSV, and import that file';
const FROM_ANY = 'open it in a spreadsheet program, save the table as CSV, and import that file';
const UNPACK = 'unpack it, and import the CSV file in it';
const FROM_SOURCE = 'save the table that it was made from as CSV, and import that file';

const FROM_DATABASE = 'export the table from it as CSV, and import that file';

const TEXT_DOCUMENT = `a text document: ${FROM_SOURCE}`;
const EXCEL = `an Excel workbook: ${FROM_EXCEL}`;

const DATABASE = `a database: ${FROM_DATABASE}`;
const ARCHIVE = `an archive: ${UNPACK}`;

/** Kinds that are no text. */
const BINARY_KINDS: Readonly<Record<string, string>> = {
  'application/gzip': `compressed with gzip: ${UNPACK}`,
  'application/x-7z-compressed': ARCHIVE,
  'application/x-rar-compressed': ARCHIVE,
  'application/x-bzip2': ARCHIVE,
  'application/x-xz': ARCHIVE,
  'application/x-tar': ARCHIVE,
  'application/zstd': ARCHIVE,
  'application/x-sqlite3': DATABASE,
  'application/vnd.apache.parquet': DATABASE,
};
/** Kinds that a text editor shows. */
const TEXT_KINDS: Readonly<Record<string, string>> = {
  'application/pdf': `a PDF document: ${FROM_SOURCE}`,
  'application/rtf': TEXT_DOCUMENT,
  'text/vcard': 'a file of contact cards: open it in an address book, export the contacts as CSV, and import that file',
};
/** By what is found in the names of a zip archive's files, or right behind them. */
const ARCHIVES: readonly (readonly [part: string, kind: string])[] = [
  ['xl/workbook.', EXCEL],
  ['xl/worksheets/', EXCEL],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', EXCEL],
  ['application/vnd.oasis.opendocument.spreadsheet', `an OpenDocument spreadsheet: ${FROM_LIBRE_OFFICE}`],
  ['Index/Document.iwa', `a Numbers spreadsheet: ${FROM_NUMBERS}`],
  ['Index.zip', `a Numbers spreadsheet: ${FROM_NUMBERS}`],
];
/** By how a text begins. */
const TEXTS: readonly (readonly [start: RegExp, kind: string])[] = [
  [/^\s*<\?xml[\s\S]{0,400}urn:schemas-microsoft-com:office:spreadsheet/, EXCEL],
  [/^\s*<\?xml\s/i, `an XML document: ${FROM_ANY}`],
  [/^\s*<(?:!doctype|html|head|body|meta|style|table)[\s>]/i, `a web page: ${FROM_ANY}`],
  [/^\s*(?:\{\s*"|\[\s*[[{"])/, 'JSON: write its values as CSV, with a header of contact fields, and import that file'],
];

/** Bytes that text does not have, but for UTF-16. */
const CONTROL = /[\u0000-\u0008\u000e-\u0019\u001c-\u001f]/;

/** How much of a file to look at, bytes: at its start, and as much at its end. */
export const LOOK_BYTES = 64 * 1024;

/**
 * What a file is that people take for CSV, and how to make CSV of it; null when it may be CSV. Never throws.
 *
 * @param head the first {@link LOOK_BYTES}
 * @param tail the last {@link LOOK_BYTES}, where a zip archive lists its files
 */
export async function otherKindOf(head: Buffer, tail: Buffer): Promise<string | null> {
  const type = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime.split(';', 1)[0] ?? '';
  // A workbook with a password is such a file too, and so is one whose parts are out of sight.
  if (type === 'application/x-cfb') return compoundKind(head);
  if (head.toString('latin1', 0, 4) === 'PK\u0003\u0004') return archiveKind(type, Buffer.concat([head, tail]));
  // A text may begin with the letters that files of these kinds begin with.
  if (CONTROL.test(head.toString('latin1'))) {
    if (type.startsWith('image/')) return `an image: ${FROM_SOURCE}`;
    const kind = BINARY_KINDS[type];
    if (kind !== undefined) return kind;
  }
  const text = new TextDecoder(markedEncoding(head) ?? 'UTF-8').decode(head.subarray(0, 1024));
  return TEXT_KINDS[type] ?? TEXTS.find(([start]) => start.test(text))?.[1] ?? null;
}

/** The names of what is in a compound file are in UTF-16. */
function compoundKind(head: Buffer): string {
  if (isOfficeText(cfbType(head) ?? '')) return TEXT_DOCUMENT;
  const isMail = head.includes(Buffer.from('__properties_version1.0', 'utf16le'));
  return isMail ? `a mail of Outlook: ${FROM_SOURCE}` : EXCEL;
}

const isOfficeText = (type: string): boolean => /word|powerpoint|presentation/.test(type);

function archiveKind(type: string, bytes: Buffer): string {
  const found = ARCHIVES.find(([part]) => type === part || bytes.includes(part))?.[1];
  return found ?? (isOfficeText(type) ? TEXT_DOCUMENT : `a zip archive: ${UNPACK}`);
}
