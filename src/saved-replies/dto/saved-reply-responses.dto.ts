import { ApiProperty } from '@nestjs/swagger';
import type { PageQuery } from '../../http/page.dto.js';
import { PagedResponse, SuccessResponse } from '../../http/responses.dto.js';
import type { Paged } from '../../values/page.js';
import type { RecordId } from '../../values/record-id.js';
import type { SavedReplyRow } from '../saved-replies.queries.js';
import { SavedReplyRecord } from './saved-reply.dto.js';

/** Response with one saved reply. */
export class SavedReplyFoundResponse extends SuccessResponse {
  @ApiProperty({ type: SavedReplyRecord })
  saved_reply: SavedReplyRecord;

  static from(row: SavedReplyRow): SavedReplyFoundResponse {
    return { status: 'success', saved_reply: SavedReplyRecord.from(row) };
  }
}

/** Response to an action on one saved reply. */
export class SavedReplyResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ type: SavedReplyRecord })
  saved_reply: SavedReplyRecord;

  static from(row: SavedReplyRow, message: string): SavedReplyResponse {
    return { status: 'success', message, saved_reply: SavedReplyRecord.from(row) };
  }
}

/** A page of saved replies. */
export class SavedRepliesResponse extends PagedResponse {
  @ApiProperty({ type: [SavedReplyRecord] })
  saved_replies: SavedReplyRecord[];

  static from(paged: Paged<SavedReplyRow>, query: PageQuery): SavedRepliesResponse {
    return {
      status: 'success',
      saved_replies: paged.rows.map((row) => SavedReplyRecord.from(row)),
      ...PagedResponse.paging(paged, query),
    };
  }
}

/** Response to a deletion. */
export class SavedReplyDeletedResponse extends SuccessResponse {
  @ApiProperty()
  message: string;

  @ApiProperty({ format: 'uuid' })
  saved_reply_id: string;

  static from(id: RecordId): SavedReplyDeletedResponse {
    return { status: 'success', message: 'Saved reply deleted', saved_reply_id: id };
  }
}
