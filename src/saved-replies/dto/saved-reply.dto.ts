import { ApiProperty } from '@nestjs/swagger';
import type { SavedReplyRow } from '../saved-replies.queries.js';

/** A saved reply. */
export class SavedReplyRecord {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty()
  name: string;

  @ApiProperty({ description: 'With its variables, which whoever inserts it replaces by fields of the contact' })
  text: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ format: 'date-time' })
  updated_at: string;

  static from(row: SavedReplyRow): SavedReplyRecord {
    return {
      id: row.id,
      name: row.name,
      text: row.text,
      created_at: row.createdAt.toISOString(),
      updated_at: row.updatedAt.toISOString(),
    };
  }
}
