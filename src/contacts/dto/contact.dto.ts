import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ContactRow } from '../contacts.queries.js';

/** A contact record. */
export class ContactRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty()
  first_name: string;

  @ApiProperty({ type: String, nullable: true })
  last_name: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Digits with the country code, no +; null for people who hide it',
  })
  phone_number: string | null;

  @ApiPropertyOptional({
    description: 'The network’s user id of this person, scoped to your business; absent if unknown',
  })
  user_id?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'The person’s username on the network, null if they have none; absent without user_id',
  })
  username?: string | null;

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

  static from(row: ContactRow): ContactRecord {
    return {
      id: row.id,
      first_name: row.firstName,
      last_name: row.lastName,
      phone_number: row.phoneNumber,
      ...(row.userId === null ? {} : { user_id: row.userId, username: row.username }),
      email: row.email,
      company: row.company,
      tags: row.tags,
      opted_in: row.optedIn,
      source: row.source,
      created_at: row.createdAt.toISOString(),
    };
  }
}
