const MARKS = [
  ['UTF-8', Buffer.from('\ufeff')],
  ['UTF-16LE', Buffer.of(0xff, 0xfe)],
  ['UTF-16BE', Buffer.of(0xfe, 0xff)],
] as const;

/** The encoding that the byte order mark names with which a text begins; null without one. */
export const markedEncoding = (text: Buffer): (typeof MARKS)[number][0] | null =>
  MARKS.find(([, mark]) => text.subarray(0, mark.length).equals(mark))?.[0] ?? null;
