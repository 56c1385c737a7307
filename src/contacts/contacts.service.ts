import { Injectable } from '@nestjs/common';
import { ConsentLedger } from '../consent/consent-ledger.js';
import { identityHashesOf } from '../consent/identity-hashes.service.js';
import { requestEvidence } from '../consent/request-evidence.js';
import { isConflict } from '../database/connections/transient-errors.js';
import { withRetries } from '../database/connections/with-retries.js';
import { violatedUniqueConstraint } from '../database/sql/constraint-violation.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { noteRecordOfKey } from '../idempotency/record-notes.js';
import type { ContactRow } from '../people/contact-columns.js';
import { dropAliasesOf, dropNumberAlias } from '../people/contact-identity.queries.js';
import { lockForNumber, mergeContact } from '../people/contact-merge.queries.js';
import { ContactMerged } from '../people/ensured-contacts.queries.js';
import { onSurvivor } from '../people/merged-contact.queries.js';
import type { Page, Paged } from '../values/page.js';
import type { RecordId } from '../values/record-id.js';
import { searchContacts } from './contact-search.queries.js';
import { contactNotFound, mayNotLift, phoneNumberContested } from './contacts.errors.js';
import {
  type ChangedContact,
  type ContactChanges,
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
const MAX_TRIES = 8;
/** Milliseconds; see `withRetries`. */
const PAUSE_MS = 20;

/** Another contact has just taken the number, or we deadlocked with it; a retry finds out which. */
const isContested = (error: unknown): boolean =>
  violatedUniqueConstraint(error) === PHONE_NUMBER_KEY || isConflict(error);
const isNumberRace = (error: unknown): boolean => isContested(error) || error instanceof ContactMerged;

/** Owns the contacts of an account. Sends, campaigns and inbound messages create contacts with `ensureContacts`. */
@Injectable()
export class ContactsService {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** Returns a page of contacts, newest first. With a blank `search`, or none, it lists all of them. */
  list(accountId: string, page: Page, search: string | null | undefined): Promise<Paged<ContactRow>> {
    const reads = this.unitOfWork.reads(accountId);
    return search?.trim() ? searchContacts(accountId, search, page, reads) : listContacts(accountId, page, reads);
  }

  /** The contact, or the one that it was merged into. @throws DomainError `not_found` */
  get(accountId: string, id: RecordId): Promise<ContactRow> {
    const reads = this.unitOfWork.reads(accountId);
    return onSurvivor(accountId, id, reads, async (current) => {
      const contact = await findContact(accountId, current, reads);
      if (contact === null) throw contactNotFound(id);
      return contact;
    });
  }

  /**
   * Creates a contact, or restores the deleted one with this number.
   *
   * @param decision the account's, which counts more than what the person decided before; a boolean may lift an opt-out;
   *   undefined: none
   * @throws DomainError `conflict` when another contact has this number, `forbidden` when the decision may not be made
   */
  create(accountId: string, contact: NewContact, decision: AccountDecision | boolean | undefined): Promise<ContactRow> {
    return this.unitOfWork.writes(accountId).transaction(async (tx) => {
      const created = await createContact(accountId, contact, tx);
      await noteRecordOfKey(created.id, tx);
      return decided(accountId, created, decision, tx);
    });
  }

  /**
   * Changes a contact, or the one that it was merged into. A contact that gets the number of a person who opted out before is opted out, and the number that
   * an opted-out contact loses stays so. If a deleted contact has the number, it is merged into this one.
   *
   * @param decision as in {@link create}
   * @throws DomainError `not_found`, or `conflict` when another contact has the new number
   */
  change(
    accountId: string,
    id: RecordId,
    changes: ContactChanges,
    decision: AccountDecision | boolean | undefined,
  ): Promise<ContactRow> {
    const writes = this.unitOfWork.writes(accountId);
    return onSurvivor(accountId, id, writes, (current) => this.changeOne(accountId, current, changes, decision));
  }

  private async changeOne(
    accountId: string,
    id: RecordId,
    changes: ContactChanges,
    decision: AccountDecision | boolean | undefined,
  ): Promise<ContactRow> {
    const { phoneNumber } = changes;
    const writes = this.unitOfWork.writes(accountId);
    if (phoneNumber === undefined && decision === undefined) return changeContact(accountId, id, changes, writes);
    const once = async (): Promise<ContactRow> => {
      const former = phoneNumber === undefined ? null : await rejectTakenNumber(accountId, id, phoneNumber, writes);
      return writes.transaction(async (tx) => {
        if (phoneNumber !== undefined && former !== null) await joinDeleted(accountId, id, former, tx);
        if (phoneNumber !== undefined) await dropNumberAlias(accountId, phoneNumber, null, tx);
        const changed = await changeContact(accountId, id, changes, tx);
        if (changed.renumbered) await this.renumber(accountId, changed, tx);
        const current = changed.renumbered ? await currentRow(accountId, changed, tx) : changed;
        return decided(accountId, current, decision, tx);
      });
    };
    return withRetries(once, isNumberRace, MAX_TRIES, PAUSE_MS).catch((error: unknown) => {
      throw phoneNumber !== undefined && isContested(error) ? phoneNumberContested(phoneNumber) : error;
    });
  }

  /** @throws DomainError 503 while nobody can tell whether the person with the number has opted out */
  private async renumber(accountId: string, contact: ChangedContact, tx: Tx): Promise<void> {
    const { id, phoneNumber, formerNumber, formerWaId, formerUserId } = contact;
    if (phoneNumber === null) return;
    const hashes = identityHashesOf(tx);
    if (!hashes.isReadable) throw hashes.unreadable('the number was not changed');
    if (formerNumber !== null) {
      const lost = [formerNumber, formerWaId, formerUserId, ...(await dropAliasesOf(accountId, id, tx))];
      await ConsentLedger.leave(accountId, { ...contact, identities: lost }, tx);
    }
    await ConsentLedger.renumber(accountId, id, phoneNumber, tx);
  }

  /**
   * Deactivates a contact, or the one that it was merged into: it leaves all groups and can no longer be listed or sent
   * to. Its history stays.
   *
   * @returns the id of the contact that was deleted
   * @throws DomainError `not_found`
   */
  delete(accountId: string, id: RecordId): Promise<RecordId> {
    const writes = this.unitOfWork.writes(accountId);
    return onSurvivor(accountId, id, writes, (current) =>
      writes.transaction(async (tx) => {
        if (!(await markContactDeleted(accountId, current, tx))) throw contactNotFound(id);
        await leaveAllGroups(accountId, [current], tx);
        return current;
      }),
    );
  }
}

/**
 * Merges the deleted contact with a number into the one that gets the number: one number is one person. The merge
 * replaces the contact's user id.
 */
async function joinDeleted(accountId: string, id: RecordId, deletedId: RecordId, tx: Tx): Promise<void> {
  const contact = await lockForNumber(accountId, id, deletedId, tx);
  if (contact === null) return;
  await ConsentLedger.leave(accountId, { ...contact, identities: [contact.userId] }, tx);
  await mergeContact(accountId, id, deletedId, tx);
}

/** What an account decides about marketing to one person. */
export interface AccountDecision {
  readonly optedIn: boolean;
  /** Whether whoever decides may lift an opt-out. */
  readonly mayLift: boolean;
}

/** Enters the account's decision about this one contact, if it made one. */
async function decided(
  accountId: string,
  contact: ContactRow,
  decision: AccountDecision | boolean | undefined,
  tx: Tx,
): Promise<ContactRow> {
  if (decision === undefined) return contact;
  const { optedIn, mayLift } = typeof decision === 'boolean' ? { optedIn: decision, mayLift: true } : decision;
  if (optedIn && !contact.optedIn && !mayLift) throw mayNotLift();
  const entered = { optedIn, by: 'account', at: null, evidence: requestEvidence(), lifts: true } as const;
  await ConsentLedger.decide(accountId, contact.id, entered, tx);
  return { ...contact, optedIn };
}

const currentRow = async (accountId: string, contact: ContactRow, tx: Tx): Promise<ContactRow> =>
  (await findContact(accountId, contact.id, tx)) ?? contact;
