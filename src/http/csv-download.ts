import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { OneOf, Optional } from './field-rules.js';

/** Without it, Excel takes UTF-8 for Windows-1252, and saves the names that it has destroyed. */
const BYTE_ORDER_MARK = '\ufeff';

/** Query of a CSV file. */
export class CsvFileQuery {
  @ApiProperty({ default: 'true', description: 'false leaves out the byte order mark, which Excel needs' })
  @Optional()
  @OneOf(['true', 'false'])
  bom?: 'true' | 'false';
}

/** Streams a CSV file for people and their programs, producing pieces only as fast as the client reads them. */
export const csvDownload = (
  pieces: AsyncIterable<string>,
  filename: string,
  { bom = 'true' }: CsvFileQuery,
): StreamableFile =>
  new StreamableFile(Readable.from(bom === 'true' ? marked(pieces) : pieces, { objectMode: false }), {
    type: 'text/csv; charset=utf-8',
    disposition: `attachment; filename="${filename}"`,
  });

async function* marked(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK;
  yield* pieces;
}
