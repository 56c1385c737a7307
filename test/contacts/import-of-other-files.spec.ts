import { gzipSync } from 'node:zlib';
import { compoundFile, officeZip, SAMPLES, zipEntry } from '../support/media-samples.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';

let world: World;
let account: TestAccount;
beforeAll(async () => {
  world = await World.start({ env: { PARLEY_ROLES: 'api' } });
  account = await world.account();
});
afterAll(() => world.stop());

const IMPORT = '/api/v1/contacts/import';
const CSV = `phone_number,first_name\n4915112345678,Ada\n`;
const EXCEL = 'an Excel workbook: in Excel choose File > Save As and the type “CSV UTF-8 (Comma delimited)”';
const XML = '<?xml version="1.0"?>\n';
/** A directory of a zip archive that is read at its end only. */
const farEntry = (name: string): Buffer =>
  Buffer.concat([zipEntry('a.bin', 'x'), Buffer.alloc(200_000), Buffer.from(`PK\u0001\u0002${name}`, 'latin1')]);

/** The header of a file in a tar archive. */
function tar(name: string): Buffer {
  const block = Buffer.alloc(1024);
  block.write(`${name}\0`);
  block.write('ustar\0', 257);
  // The sum of the header, with blanks in its own place.
  block.fill(' ', 148, 156);
  const sum = block.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** As the form of a browser sends a file, under a name that says CSV. */
async function imported(file: Uint8Array): Promise<{ status: number; body: unknown }> {
  const data = new FormData();
  data.append('file', new Blob([Uint8Array.from(file)], { type: 'text/csv' }), 'contacts.csv');
  const form = new Response(data);
  const { status, body } = await account.api.post(IMPORT, undefined, {
    raw: new Uint8Array(await form.arrayBuffer()),
    headers: { 'content-type': form.headers.get('content-type') ?? '' },
  });
  return { status, body };
}

it.each<[string, Buffer, string]>([
  ['an Excel workbook', Buffer.concat([zipEntry('[Content_Types].xml', XML), zipEntry('xl/workbook.xml', XML)]), EXCEL],
  ['an Excel workbook with its parts out of sight', officeZip('spreadsheetml.sheet'), EXCEL],
  ['an Excel workbook whose directory comes late', farEntry('xl/worksheets/sheet1.xml'), EXCEL],
  ['a workbook of Excel 97', compoundFile('Workbook'), EXCEL],
  ['a workbook with a password', compoundFile('EncryptedPackage'), EXCEL],
  ['a workbook in XML', Buffer.from(`${XML}<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">`), EXCEL],
  [
    'an OpenDocument spreadsheet',
    Buffer.concat([
      Buffer.from('504b0304', 'hex'),
      Buffer.alloc(14),
      Buffer.from('2e0000002e000000', 'hex'),
      Buffer.from('08000000', 'hex'),
      Buffer.from('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'),
    ]),
    'an OpenDocument spreadsheet: in LibreOffice choose File > Save As and the type “Text CSV”',
  ],
  [
    'a Numbers spreadsheet',
    Buffer.concat([zipEntry('Data/preview.jpg', 'x'), zipEntry('Index/Document.iwa', 'x')]),
    'a Numbers spreadsheet: in Numbers choose File > Export To > CSV',
  ],
  ['a zip archive', zipEntry('contacts.csv', CSV), 'a zip archive: unpack it'],
  ['a file in gzip', gzipSync(CSV), 'compressed with gzip: unpack it'],
  ['a tar archive', tar('contacts.csv'), 'an archive: unpack it'],
  ['a 7z archive', Buffer.concat([Buffer.from('377abcaf271c0004', 'hex'), Buffer.alloc(60)]), 'an archive: unpack it'],
  ['a mail', compoundFile('__properties_version1.0'), 'a mail of Outlook: save the table'],
  ['a database', Buffer.from('SQLite format 3\u0000'), 'a database: export the table'],
  ['a zip archive that speaks of a workbook', zipEntry('notes.txt', 'see xl/ in it'), 'a zip archive: unpack it'],
  ['a web page in UTF-16', Buffer.from('\ufeff<html><body>Log in</body></html>', 'utf16le'), 'a web page: open it'],
  ['a PDF document', SAMPLES.PDF, 'a PDF document: save the table that it was made from as CSV'],
  ['a photo', SAMPLES.JPEG, 'an image: save'],
  ['a screenshot', SAMPLES.PNG, 'an image: save'],
  ['a bitmap', Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]), 'an image: save'],
  ['a Word document', SAMPLES.DOC, 'a text document: save'],
  ['a Word document of today', SAMPLES.DOCX, 'a text document: save'],
  ['a document in RTF', Buffer.from('{\\rtf1\\ansi Contacts}'), 'a text document: save'],
  ['contact cards', Buffer.from('BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada\r\nEND:VCARD\r\n'), 'a file of contact cards'],
  ['a web page', Buffer.from('\ufeff\n<!DOCTYPE html>\n<html><body>Log in</body></html>'), 'a web page: open it'],
  ['a table as a web page', Buffer.from('<table><tr><td>phone_number</td></tr></table>'), 'a web page: open it'],
  ['an XML document', Buffer.from(`${XML}<contacts/>`), 'an XML document: open it'],
  ['JSON', Buffer.from('[{"phone_number": "4915112345678"}]'), 'JSON: write its values as CSV'],
])('%s is refused for what it is (400)', async (_, file, kind) => {
  const message = expect.stringMatching(new RegExp(`^the file is not CSV but ${escaped(kind)}.* import `));
  expect(await imported(file)).toEqual({ status: 400, body: { error: 'bad_request', message } });
});

it.each([
  ['a bitmap’s', 'BM'],
  ['a program’s', 'MZ'],
  ['a song’s', 'ID3'],
  ['an image’s', 'GIF89a'],
  ['an icon’s', 'icns'],
  ['a drawing’s', '8BPS'],
  ['a compressed file’s', 'BZh'],
  ['a zip archive’s', 'PK'],
  ['a list’s', '[id]'],
])('a header may begin as %s first letters', async (_, first) => {
  const phone = uniquePhone();
  const file = Buffer.from(`${first},phone_number,first_name\nx,${phone},Ada\n`);
  expect(await imported(file)).toMatchObject({ status: 200, body: { created: 1, failed: 0 } });
});

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
