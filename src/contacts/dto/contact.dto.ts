import { ApiProperty } from '@nestjs/swagger';
import type { ContactRow } from '../contacts.queries.js';

/** A contact record (SPEC, Contact). */
export class ContactDto {
  @ApiProperty()
  id: string;

  @ApiProperty()
  first_name: string;

  @ApiProperty({ type: String, nullable: true })
  last_name: string | null;

  @ApiProperty({ description: 'Digits with the country code, no +' })
  phone_number: string;

  @ApiProperty({ type: String, nullable: true })
  email: string | null;

  @ApiProperty({ type: String, nullable: true })
  company: string | null;

  @ApiProperty({ type: [String] })
  tags: string[];

  @ApiProperty()
  opted_in: boolean;

  @ApiProperty({ enum: ['api', 'import', 'inbound', 'campaign', 'send'] })
  source: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static from(row: ContactRow): ContactDto {
    return {
      id: row.id,
      first_name: row.first_name,
      last_name: row.last_name,
      phone_number: row.phone_number,
      email: row.email,
      company: row.company,
      tags: row.tags,
      opted_in: row.opted_in,
      source: row.source,
      created_at: row.created_at.toISOString(),
    };
  }
}
