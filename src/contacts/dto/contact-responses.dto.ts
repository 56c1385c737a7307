import { ApiProperty } from '@nestjs/swagger';
import type { PageQuery } from '../../http/page.dto.js';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import type { ContactRow } from '../../people/contact-columns.js';
import type { Paged } from '../../values/page.js';
import type { RecordId } from '../../values/record-id.js';
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

  static from(paged: Paged<ContactRow>, query: PageQuery): ContactsResponse {
    return {
      status: 'success',
      contacts: paged.rows.map((row) => ContactRecord.from(row)),
      ...PagedResponse.paging(paged, query),
    };
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
