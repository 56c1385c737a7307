import { Injectable } from '@nestjs/common';
import { isConflict } from '../../database/connections/passing-error.js';
import { withRetries } from '../../database/connections/try-again.js';
import type { SealedColumn } from '../../database/secrets/sealed-column.js';
import { SecretBox, type SecretPlace } from '../../database/secrets/secret-box.js';
import { type Tx, UnitOfWork } from '../../database/unit-of-work.js';
import { now } from '../../values/clock.js';
import { newRecordId, type RecordId } from '../../values/record-id.js';
import { PersonTokens } from '../../values/redaction.js';
import type { Contact } from '../contact.entity.js';
import { contactNotFound, hashKeyUnreadable } from '../contacts.errors.js';
import { leaveAllGroups } from '../contacts.queries.js';
import { ContactErasure } from './contact-erasure.entity.js';
import {
  blankContacts,
  dropWaitingBodies,
  findOpenIdentities,
  findPerson,
  holdPurge,
  lockNextContacts,
  movePurge,
  noteErasures,
  openPurge,
  removeConversations,
  type SealedIdentity,
} from './contact-erasure.queries.js';
import { type IdentityHash, identityHashOf } from './identity-hashes.service.js';
import { type Decision, keepSuppressed } from './suppression.queries.js';

/** Tries of a transaction that meets another one about the same person. */
const MAX_TRIES = 3;

/** Where what an erased contact was found by is sealed. */
export const identityPlace = (accountId: string, contactId: RecordId): SecretPlace => ({
  accountId,
  rowId: contactId,
  column: 'contact_erasures.identity',
});

/** Where that of all of them is sealed. */
export const IDENTITY_COLUMN: SealedColumn = {
  table: 'contact_erasures',
  column: 'identity',
  key: [['contact_id', 'uuid']],
  place: (accountId, [contactId = '']) => identityPlace(accountId, contactId),
};

/** Somebody as they are stored: one contact, or several that turned out to be the same person. */
export interface Person {
  readonly contactIds: readonly RecordId[];
  readonly tokens: PersonTokens;
}

/**
 * Erases people: at once from everything that is answered. What they have left in tables that many share is noted, and goes in the
 * background. Of somebody who had opted out a keyed hash stays, so that they stay opted out.
 */
@Injectable()
export class ContactErasureService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Erases a contact, deleted or not, with all contacts that were merged into it. Erasing it again changes nothing.
   *
   * @returns how far it is
   * @throws DomainError `not_found`
   */
  erase(accountId: string, id: RecordId): Promise<ContactErasure> {
    const once = () => this.unitOfWork.writes(accountId).transaction((tx) => this.eraseWithin(accountId, id, tx));
    return withRetries(once, isConflict, MAX_TRIES);
  }

  /** A person's contacts and what they are found by; null when they are unknown, foreign or erased. */
  async find(accountId: string, id: RecordId, tx: Tx): Promise<Person | null> {
    const contacts = await findPerson(accountId, id, { lock: false }, tx);
    if (contacts.length === 0 || contacts.some(({ erasedAt }) => erasedAt !== null)) return null;
    return { contactIds: contacts.map((contact) => contact.id), tokens: new PersonTokens(tokensOf(contacts)) };
  }

  /** Everything that people are found by whose erasure in an account is not over. */
  async open(accountId: string, tx: Tx = this.unitOfWork.reads(accountId)): Promise<PersonTokens> {
    return this.unseal(accountId, await findOpenIdentities(accountId, tx));
  }

  /** What people are found by. @throws UnreadableSecret */
  unseal(accountId: string, identities: readonly SealedIdentity[]): PersonTokens {
    return new PersonTokens(
      identities.flatMap(
        ({ contactId, identity }) =>
          JSON.parse(this.secrets.open(identity, identityPlace(accountId, contactId))) as string[],
      ),
    );
  }

  /**
   * Has all contacts of an account erased that there are by now: hidden at once, as its keys are answered nothing until they
   * have all been hidden, and then removed like others.
   */
  async eraseAll(accountId: string): Promise<void> {
    await openPurge(accountId, newRecordId(), this.unitOfWork.writes(accountId));
  }

  /**
   * Hides the next contacts of an account whose contacts are all being erased.
   *
   * @returns how many
   */
  purge(accountId: string, limit: number, unitOfWork: UnitOfWork): Promise<number> {
    return unitOfWork.transaction(async (tx) => {
      const purge = await holdPurge(accountId, tx);
      if (purge === null) return 0;
      const contacts = await lockNextContacts(accountId, purge.below, limit, tx);
      if (contacts.length > 0)
        await this.hide(
          accountId,
          contacts.map((contact) => [contact]),
          tx,
        );
      await movePurge(accountId, contacts.length < limit ? null : (contacts.at(-1)?.id ?? null), tx);
      return contacts.length;
    });
  }

  private async eraseWithin(accountId: string, id: RecordId, tx: Tx): Promise<ContactErasure> {
    const contacts = await findPerson(accountId, id, { lock: true }, tx);
    const [person] = contacts;
    if (person === undefined) throw contactNotFound(id);
    if (person.erasedAt === null) await this.hide(accountId, [contacts], tx);
    return tx.manager.findOneByOrFail(ContactErasure, { accountId, contactId: person.id });
  }

  /**
   * Empties the contacts of people, and notes that they are to be erased. Locks are taken in the order of all writers: contacts,
   * conversations, groups.
   *
   * @param people the contacts of each; the first one tells whether they have opted out
   */
  private async hide(accountId: string, people: readonly (readonly Contact[])[], tx: Tx): Promise<void> {
    const hash = identityHashOf(tx);
    await keepSuppressed(
      accountId,
      people.flatMap(([person]) => decisionsOf(person, hash)),
      tx,
    );
    const ids = people.flat().map(({ id }) => id);
    await blankContacts(accountId, ids, tx);
    await removeConversations(accountId, ids, tx);
    await leaveAllGroups(accountId, ids, tx);
    await dropWaitingBodies(accountId, tx);
    const erasures = people.flatMap((contacts) =>
      contacts.map(({ id }, place) => ({ contactId: id, identity: place === 0 ? this.seal(id, contacts) : null })),
    );
    await noteErasures(accountId, erasures, tx);
  }

  private seal(id: RecordId, contacts: readonly Contact[]): string {
    const [{ accountId }] = contacts as [Contact];
    return this.secrets.seal(JSON.stringify(tokensOf(contacts)), identityPlace(accountId, id));
  }
}

/**
 * What somebody has decided about marketing messages, under everything that they are known by.
 *
 * @throws DomainError 503 `unavailable` when they have opted out and the key of hashes cannot be decrypted
 */
function decisionsOf(person: Contact | undefined, hash: IdentityHash): Decision[] {
  if (person === undefined) return [];
  const { accountId, optedIn, consentAt } = person;
  return [person.phoneNumber, person.waId, person.userId].flatMap((identity): Decision[] => {
    if (identity === null) return [];
    const identityHash = hash(accountId, identity);
    if (identityHash === null && !optedIn) throw hashKeyUnreadable();
    return identityHash === null ? [] : [{ identityHash, optedIn, at: consentAt ?? now() }];
  });
}

/** What people are found by in texts; names are not among it, as others have them too. */
const tokensOf = (contacts: readonly Contact[]): string[] =>
  contacts.flatMap(({ phoneNumber, waId, userId, email }) =>
    [phoneNumber, waId, userId, email].filter((token) => token !== null),
  );
