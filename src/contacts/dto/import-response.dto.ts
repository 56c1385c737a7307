import { ApiProperty } from '@nestjs/swagger';
import { SuccessResponse } from '../../http/responses.dto.js';
import type { ImportOutcome } from '../files/contact-files.service.js';

/** A row that was not imported. */
export class RowFaultRecord {
  @ApiProperty({ type: 'integer', description: 'Line on which the row starts; the header is line 1' })
  line: number;

  @ApiProperty({ description: 'As written in the file' })
  phone_number: string;

  @ApiProperty()
  error: string;
}

/** Response to an import. */
export class ImportResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ type: 'integer' })
  created: number;

  @ApiProperty({ type: 'integer', description: 'Rows for existing contacts, whether or not they changed anything' })
  updated: number;

  @ApiProperty({ type: 'integer' })
  failed: number;

  @ApiProperty({ type: [RowFaultRecord], description: 'The first 1,000 of the failed rows, by line' })
  errors: RowFaultRecord[];

  static from({ created, updated, failed, faults }: ImportOutcome): ImportResponse {
    return {
      status: 'success',
      message: `Contacts imported: ${created} created, ${updated} updated, ${failed} failed`,
      created,
      updated,
      failed,
      errors: faults.map(({ line, phoneNumber, error }) => ({ line, phone_number: phoneNumber, error })),
    };
  }
}
