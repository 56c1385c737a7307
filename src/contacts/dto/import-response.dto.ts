import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { SuccessResponse } from '../../http/responses.dto.js';
import type { KeptOptOut } from '../files/contact-files.queries.js';
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

/** A row that was imported, but for its opt-in. */
export class RowWarningRecord {
  @ApiProperty({ type: 'integer', description: 'Line on which the row starts; the header is line 1' })
  line: number;

  @ApiProperty({ description: 'As written in the file' })
  phone_number: string;

  @ApiProperty()
  warning: string;
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

  @ApiPropertyOptional({
    type: [RowWarningRecord],
    description:
      'The first 1,000 rows whose `opted_in: true` was not applied, because the contact itself, or the network for it, ' +
      'has opted out; absent if there are none',
  })
  warnings?: RowWarningRecord[];

  static from({ created, updated, failed, faults, keptOptOuts }: ImportOutcome): ImportResponse {
    return {
      status: 'success',
      message: `Contacts imported: ${created} created, ${updated} updated, ${failed} failed`,
      created,
      updated,
      failed,
      errors: faults.map(({ line, phoneNumber, error }) => ({ line, phone_number: phoneNumber, error })),
      ...(keptOptOuts.length === 0 ? {} : { warnings: keptOptOuts.map(warningOf) }),
    };
  }
}

const warningOf = ({ line, phoneNumber, since }: KeptOptOut): RowWarningRecord => ({
  line,
  phone_number: phoneNumber,
  warning:
    `opted_in stays false: the contact opted out on ${since.toISOString()}, and a file does not lift that. ` +
    'If they have agreed since, change this one contact with opted_in: true',
});
