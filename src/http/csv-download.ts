import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** Answers with a CSV file; its pieces are made as fast as the client takes them. */
export const csvDownload = (pieces: AsyncIterable<string>, filename: string): StreamableFile =>
  new StreamableFile(Readable.from(pieces, { objectMode: false }), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${filename}"`,
  });
