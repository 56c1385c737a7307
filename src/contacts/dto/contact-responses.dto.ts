import { ApiProperty } from '@nestjs/swagger';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import type { Page, Paged } from '../../values/page.js';
import type { RecordId } from '../../values/record-id.js';
import type { ContactRow } from '../contacts.queries.js';
import { ContactRecord } from './contact.dto.js';

/** Response with one contact. */
export class ContactResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ type: ContactRecord })
  contact: ContactRecord;

  static from(row: ContactRow, message: string): ContactResponse {
    return { status: 'success', message, contact: ContactRecord.from(row) };
  }
}

/** A page of contacts. */
export class ContactsResponse extends PagedResponse {
  @ApiProperty({ type: [ContactRecord] })
  contacts: ContactRecord[];

  static from({ rows, total }: Paged<ContactRow>, { page, limit }: Page): ContactsResponse {
    return { status: 'success', contacts: rows.map((row) => ContactRecord.from(row)), total, page, limit };
  }
}

/** Response to a deletion. */
export class ContactDeletedResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  contact_id: string;

  static from(id: RecordId, message: string): ContactDeletedResponse {
    return { status: 'success', message, contact_id: id };
  }
}
