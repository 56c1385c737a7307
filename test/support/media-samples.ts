import { deflateRawSync } from 'node:zlib';

// The shortest file headers from which each format is recognised.

const hex = (bytes: string): Buffer => Buffer.from(bytes.replaceAll(' ', ''), 'hex');
const text = (value: string): Buffer => Buffer.from(value, 'latin1');

/** The file type box of an MP4 container. */
export const ftyp = (brand: string): Buffer =>
  Buffer.concat([hex('00000018'), text(`ftyp${brand}`), hex('00000000'), text('isommp42')]);

/** A deflated entry of a zip file. */
export function zipEntry(name: string, content: string): Buffer {
  const data = deflateRawSync(Buffer.from(content));
  const head = Buffer.alloc(30);
  head.writeUInt32LE(0x04034b50, 0);
  head.writeUInt16LE(20, 4);
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(data.length, 18);
  head.writeUInt32LE(content.length, 22);
  head.writeUInt16LE(name.length, 26);
  return Buffer.concat([head, text(name), data]);
}

/** An Office document that starts with its content types. */
export const officeZip = (main: string): Buffer =>
  zipEntry(
    '[Content_Types].xml',
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override ' +
      `PartName="/main.xml" ContentType="application/vnd.openxmlformats-officedocument.${main}.main+xml"/></Types>`,
  );

/** A compound file with its directory in sector `sector` and a stream called `stream`. */
export function compoundFile(stream: string, sector = 0): Buffer {
  const file = Buffer.alloc((sector + 2) * 512);
  hex('d0cf11e0a1b11ae1').copy(file);
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(sector, 48);
  ['Root Entry', stream].forEach((name, index) => {
    const entry = (sector + 1) * 512 + index * 128;
    file.write(name, entry, 'utf16le');
    file.writeUInt16LE((name.length + 1) * 2, entry + 64);
  });
  return file;
}

/** An Ogg file whose first packet starts with `codec`. */
export const ogg = (codec: string): Buffer =>
  Buffer.concat([text('OggS'), Buffer.alloc(24), text(codec), Buffer.alloc(30)]);

/** A file of each accepted format. */
export const SAMPLES = {
  JPEG: hex('ffd8ffe0 0010 4a46494600 0101 00 0001 0001 0000'),
  PNG: hex('89504e470d0a1a0a 0000000d 49484452 00000001 00000001 08 06 000000 1f15c489'),
  MP4: ftyp('mp42'),
  AAC: hex('fff15080 02 1f fc'),
  MP3: Buffer.concat([text('ID3'), hex('0400 00 00000000'), hex('fffb9064')]),
  M4A: ftyp('M4A '),
  AMR: text('#!AMR\n\u0004'),
  OGG: Buffer.concat([text('OggS'), Buffer.alloc(24), text('OpusHead'), Buffer.alloc(11)]),
  PDF: text('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n1 0 obj\n'),
  DOC: compoundFile('WordDocument'),
  DOCX: officeZip('wordprocessingml.document'),
  PPT: compoundFile('PowerPoint Document'),
  PPTX: officeZip('presentationml.presentation'),
  WEBP: Buffer.concat([text('RIFF'), hex('1a000000'), text('WEBPVP8 '), hex('0e000000')]),
  TXT: Buffer.from('Opening hours: 9 to 17 – “closed” on Sundays\n'),
} as const;

const TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
  pdf: 'application/pdf',
};

/** The header with which a file server serves a file of that name. */
export const typeHeader = (path: string): { 'content-type': string } => ({
  'content-type': TYPES[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
});

/** Pads `sample` to `size` bytes with zero bytes or, for text, spaces. */
export const padded = (sample: Buffer, size: number): Buffer =>
  Buffer.concat([sample, Buffer.alloc(Math.max(0, size - sample.length), sample === SAMPLES.TXT ? 32 : 0)], size);
