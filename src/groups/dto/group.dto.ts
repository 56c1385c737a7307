import { ApiProperty } from '@nestjs/swagger';
import type { GroupRow } from '../groups.queries.js';

/** A contact group record. */
export class GroupRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ type: String, nullable: true })
  description: string | null;

  @ApiProperty({ type: [String] })
  tags: string[];

  @ApiProperty({ type: 'integer', description: 'Number of contacts in the group' })
  contact_count: number;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static from(row: GroupRow): GroupRecord {
    return {
      id: row.id,
      name: row.name,
      description: row.description,
      tags: row.tags,
      contact_count: row.contactCount,
      created_at: row.createdAt.toISOString(),
    };
  }
}
