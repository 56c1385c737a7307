import { Injectable } from '@nestjs/common';
import { isConflict } from '../database/connections/transient-errors.js';
import { withRetries } from '../database/connections/with-retries.js';
import { violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import type { Page, Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';
import { searchContacts } from './contact-search.queries.js';
import { contactNotFound } from './contacts.errors.js';
import {
  type ContactChanges,
  type ContactRow,
  changeContact,
  createContact,
  findContact,
  leaveAllGroups,
  listContacts,
  markContactDeleted,
  type NewContact,
  PHONE_NUMBER_KEY,
  rejectTakenNumber,
} from './contacts.queries.js';

/** Attempts to change a contact's number while other requests compete for the same one. */
const MAX_TRIES = 5;

/** Another contact has just taken the number, or we deadlocked with it; a retry finds out which. */
const isNumberRace = (error: unknown): boolean =>
  violatedUniqueConstraint(error) === PHONE_NUMBER_KEY || isConflict(error);

/** Owns the contacts of an account. Sends, campaigns and inbound messages create contacts with `ensureContacts`. */
@Injectable()
export class ContactsService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Returns a page of contacts, newest first. Without `search` it lists all of them. */
  list(accountId: string, page: Page, search: string | null | undefined): Promise<Paged<ContactRow>> {
    const reads = this.unitOfWork.reads(accountId);
    return search ? searchContacts(accountId, search, page, reads) : listContacts(accountId, page, reads);
  }

  /** @throws DomainError `not_found` */
  async get(accountId: string, id: RecordId): Promise<ContactRow> {
    const contact = await findContact(accountId, id, this.unitOfWork.reads(accountId));
    if (contact === null) throw contactNotFound(id);
    return contact;
  }

  /**
   * Creates a contact, or restores the deleted one with this number.
   *
   * @throws DomainError `conflict` when another contact has this number
   */
  create(accountId: string, contact: NewContact): Promise<ContactRow> {
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const created = await createContact(accountId, contact, tx);
      await noteRecordOfKey(created.id, tx);
      return created;
    });
  }

  /** @throws DomainError `not_found`, or `conflict` when another contact has the new number */
  async change(accountId: string, id: RecordId, changes: ContactChanges): Promise<ContactRow> {
    const { phoneNumber } = changes;
    if (phoneNumber === undefined) return changeContact(accountId, id, changes, this.unitOfWork.writes(accountId));
    const once = async (): Promise<ContactRow> => {
      await rejectTakenNumber(accountId, id, phoneNumber, this.unitOfWork.writes(accountId));
      return changeContact(accountId, id, changes, this.unitOfWork.writes(accountId));
    };
    return withRetries(once, isNumberRace, MAX_TRIES);
  }

  /**
   * Deactivates a contact: it leaves all groups and can no longer be listed or sent to. Its history stays.
   *
   * @throws DomainError `not_found`
   */
  async delete(accountId: string, id: RecordId): Promise<void> {
    await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      if (!(await markContactDeleted(accountId, id, tx))) throw contactNotFound(id);
      await leaveAllGroups(accountId, [id], tx);
    });
  }
}
