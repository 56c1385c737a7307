import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** Streams a CSV file, producing pieces only as fast as the client reads them. */
export const csvDownload = (pieces: AsyncIterable<string>, filename: string): StreamableFile =>
  new StreamableFile(Readable.from(pieces, { objectMode: false }), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${filename}"`,
  });
