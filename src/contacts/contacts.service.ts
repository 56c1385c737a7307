import { Injectable } from '@nestjs/common';
import { isConflict } from '../database/connections/passing-error.js';
import { withRetries } from '../database/connections/try-again.js';
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
  refuseTakenNumber,
} from './contacts.queries.js';

/** Tries to give a contact another number while others want the same one. */
const MAX_TRIES = 5;

/** Another contact has just got the number, or we deadlocked with it: the next try sees which. */
const isNumberRace = (error: unknown): boolean =>
  violatedUniqueConstraint(error) === PHONE_NUMBER_KEY || isConflict(error);

/** Owns the contacts of an account. Sends, campaigns and inbound messages create theirs with `ensureContacts`. */
@Injectable()
export class ContactsService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** A page of contacts, newest first; an absent or empty `search` lists all. */
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

  /** @throws DomainError `conflict` when a contact with this number exists; a deleted one is revived */
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
      await refuseTakenNumber(accountId, id, phoneNumber, this.unitOfWork.writes(accountId));
      return changeContact(accountId, id, changes, this.unitOfWork.writes(accountId));
    };
    return withRetries(once, isNumberRace, MAX_TRIES);
  }

  /**
   * Deactivates a contact: it leaves all groups and is no longer listed or sent to; its history stays.
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
