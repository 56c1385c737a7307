import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import type { ContactRef } from '../people/contact-ref.js';
import { now } from '../values/clock.js';
import { type RecordId, recordIdOf } from '../values/record-id.js';
import { findNote, insertNote, type WrittenNote } from './conversation-note.queries.js';
import { conversationNotFound } from './conversations.errors.js';
import type { ApiActor, ConversationChoice } from './conversations.service.js';

/** Writes notes into threads: for the people who answer, never sent. */
@Injectable()
export class ConversationNotesService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
  ) {}

  /** @throws DomainError 404 without a conversation, 403 when the phone belongs to another account */
  async write(
    { accountId, userId, source }: Omit<ApiActor, 'organisationId'>,
    { contact, wabaPhoneId }: ConversationChoice,
    text: string,
  ): Promise<WrittenNote> {
    if (wabaPhoneId !== null) await this.phones.choose(accountId, wabaPhoneId);
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const at = now();
      const note = { id: recordIdOf(at), at, text, userId, source };
      const written = await insertNote(accountId, contact, wabaPhoneId, note, tx);
      if (written === null) throw conversationNotFound(contact);
      await noteRecordOfKey(written.id, tx);
      return written;
    });
  }

  /** A note that was written before. @throws DomainError 404 when it is gone, with its contact */
  async get(accountId: string, contact: ContactRef, id: RecordId): Promise<WrittenNote> {
    const note = await findNote(accountId, contact, id, this.unitOfWork.reads(accountId));
    if (note === null) throw conversationNotFound(contact);
    return note;
  }
}
