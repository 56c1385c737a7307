import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../database/unit-of-work.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import type { Page, Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';
import { savedReplyNotFound, tooManySavedReplies } from './saved-replies.errors.js';
import {
  changeSavedReply,
  countForAddition,
  deleteSavedReply,
  findSavedReply,
  insertSavedReply,
  listSavedReplies,
  type NewSavedReply,
  type SavedReplyChanges,
  type SavedReplyRow,
} from './saved-replies.queries.js';

/** Saved replies of an account: more are no help to those who look for one. */
const MAX_SAVED_REPLIES = 1000;

/** Owns the texts that people who answer customers can insert. */
@Injectable()
export class SavedRepliesService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Returns a page of saved replies, newest first. Without `search` it lists all of them. */
  list(accountId: string, page: Page, search: string | null | undefined): Promise<Paged<SavedReplyRow>> {
    return listSavedReplies(accountId, search ?? '', page, this.unitOfWork.reads(accountId));
  }

  /** @throws DomainError `not_found` */
  async get(accountId: string, id: RecordId): Promise<SavedReplyRow> {
    return foundOrThrow(id, await findSavedReply(accountId, id, this.unitOfWork.reads(accountId)));
  }

  /** @throws DomainError `conflict` when the name is taken or the account has {@link MAX_SAVED_REPLIES} */
  create(accountId: string, reply: NewSavedReply): Promise<SavedReplyRow> {
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      if ((await countForAddition(accountId, tx)) >= MAX_SAVED_REPLIES) throw tooManySavedReplies(MAX_SAVED_REPLIES);
      const id = await insertSavedReply(accountId, reply, tx);
      await noteRecordOfKey(id, tx);
      return foundOrThrow(id, await findSavedReply(accountId, id, tx));
    });
  }

  /** @throws DomainError `not_found`, or `conflict` when another reply has the new name */
  async change(accountId: string, id: RecordId, changes: SavedReplyChanges): Promise<SavedReplyRow> {
    return foundOrThrow(id, await changeSavedReply(accountId, id, changes, this.unitOfWork.writes(accountId)));
  }

  /** @throws DomainError `not_found` */
  async delete(accountId: string, id: RecordId): Promise<void> {
    if (!(await deleteSavedReply(accountId, id, this.unitOfWork.writes(accountId)))) throw savedReplyNotFound(id);
  }
}

function foundOrThrow(id: RecordId, row: SavedReplyRow | null): SavedReplyRow {
  if (row === null) throw savedReplyNotFound(id);
  return row;
}
