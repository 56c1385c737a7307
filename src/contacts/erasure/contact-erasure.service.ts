import { Injectable } from '@nestjs/common';
import { noSuchAccount } from '../../accounts/account.errors.js';
import { lockAccount } from '../../accounts/account.queries.js';
import { AuditLog } from '../../audit/audit-log.js';
import { ConsentLedger } from '../../consent/consent-ledger.js';
import { isConflict } from '../../database/connections/transient-errors.js';
import { withRetries } from '../../database/connections/with-retries.js';
import type { SealedColumn } from '../../database/secrets/sealed-column.js';
import { SecretBox, type SecretPlace, UnreadableSecret } from '../../database/secrets/secret-box.js';
import { type Database, type Tx, UnitOfWork } from '../../database/unit-of-work.js';
import { eraseFromSources, eraseFromSourcesAtEnd } from '../../hooks/personal-data.js';
import type { Contact } from '../../people/contact.entity.js';
import { flatMapInSlices } from '../../runtime/slices.js';
import { now } from '../../values/clock.js';
import { newRecordId, type RecordId } from '../../values/record-id.js';
import { PersonTokens } from '../../values/redaction.js';
import { contactNotFound } from '../contacts.errors.js';
import { leaveAllGroups } from '../contacts.queries.js';
import { ContactErasure } from './contact-erasure.entity.js';
import {
  blankContacts,
  dropWaitingBodies,
  findConsents,
  findFormerIdentities,
  findOpenIdentities,
  findPerson,
  lockNextContacts,
  lockPurge,
  openPurge,
  recordErasures,
  removeConversations,
  type SealedIdentity,
  savePurgeProgress,
} from './contact-erasure.queries.js';

/** Attempts of a transaction that conflicts with another one about the same person. */
const MAX_TRIES = 3;

/** The place of an erased contact's tokens, which their encryption is bound to. */
export const identityPlace = (accountId: string, contactId: RecordId): SecretPlace => ({
  accountId,
  rowId: contactId,
  column: 'contact_erasures.identity',
});

/** The column that stores the encrypted tokens. */
export const IDENTITY_COLUMN: SealedColumn = {
  table: 'contact_erasures',
  column: 'identity',
  key: [['contact_id', 'uuid']],
  place: (accountId, [contactId = '']) => identityPlace(accountId, contactId),
};

/** A person as stored: one contact, or several that turned out to be the same person. */
export interface StoredPerson {
  readonly contactIds: readonly RecordId[];
  readonly tokens: PersonTokens;
}

/** A person to hide. */
interface HiddenPerson {
  readonly contacts: readonly Contact[];
  /** What they were known by before. */
  readonly former: readonly string[];
}

/** The tokens of some people, as far as they could be decrypted. */
export interface OpenedTokens {
  readonly people: PersonTokens;
  /** The contacts whose tokens could not be decrypted. */
  readonly unreadable: readonly { readonly contactId: RecordId; readonly error: UnreadableSecret }[];
}

/**
 * Erases people. Their data disappears from all responses immediately and is removed from shared tables in the
 * background. For people who opted out a keyed hash is kept, so that they stay opted out.
 */
@Injectable()
export class ContactErasureService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly secrets: SecretBox,
  ) {}

  /**
   * Erases a contact, which may already be deleted, with all contacts that were merged into it. Idempotent.
   *
   * @returns the progress of the erasure
   * @throws DomainError `not_found`
   */
  erase(accountId: string, id: RecordId): Promise<ContactErasure> {
    const once = () => this.unitOfWork.writes(accountId).transaction((tx) => this.eraseWithin(accountId, id, tx));
    return withRetries(once, isConflict, MAX_TRIES);
  }

  /** Finds a person's contacts and tokens; null when the contact is unknown, erased or in another account. */
  async find(accountId: string, id: RecordId, db: Database): Promise<StoredPerson | null> {
    const contacts = await findPerson(accountId, id, { lock: false }, db);
    if (contacts.length === 0 || contacts.some(({ erasedAt }) => erasedAt !== null)) return null;
    const contactIds = contacts.map((contact) => contact.id);
    const former = await findFormerIdentities(accountId, contactIds, db);
    return { contactIds, tokens: new PersonTokens([...tokensOf(contacts), ...former]) };
  }

  /** The tokens of everyone in an account whose erasure has not finished. */
  async pendingTokens(accountId: string, tx: Tx = this.unitOfWork.reads(accountId)): Promise<OpenedTokens> {
    return this.unseal(accountId, await findOpenIdentities(accountId, tx));
  }

  /** Decrypts tokens. */
  async unseal(accountId: string, identities: readonly SealedIdentity[]): Promise<OpenedTokens> {
    const unreadable: OpenedTokens['unreadable'][number][] = [];
    const tokens = await flatMapInSlices(identities, ({ contactId, identity }) => {
      try {
        return JSON.parse(this.secrets.open(identity, identityPlace(accountId, contactId))) as string[];
      } catch (error) {
        if (!(error instanceof UnreadableSecret)) throw error;
        unreadable.push({ contactId, error });
        return [];
      }
    });
    return { people: new PersonTokens(tokens), unreadable };
  }

  /**
   * Starts erasing all current contacts of an account. They are hidden immediately, because its API keys get no data
   * until all contacts are hidden; then they are removed like any other erased contact.
   *
   * @throws DomainError `not_found` for an unknown account
   */
  async eraseAll(accountId: string): Promise<void> {
    await this.unitOfWork.writes(accountId).transaction(async (tx) => {
      if (!(await lockAccount(accountId, tx))) throw noSuchAccount(accountId);
      await AuditLog.write(accountId, { action: 'account.contacts_erased', subjectId: accountId }, tx);
      // Last, because it locks the configuration epoch, which all accounts share.
      await openPurge(accountId, newRecordId(), tx);
    });
  }

  /**
   * Hides the next batch of contacts of an account whose contacts are all being erased.
   *
   * @returns how many contacts were hidden
   */
  purge(accountId: string, limit: number, unitOfWork: UnitOfWork): Promise<number> {
    return unitOfWork.transaction(async (tx) => {
      const purge = await lockPurge(accountId, tx);
      if (purge === null) return 0;
      const contacts = await lockNextContacts(accountId, purge.below, limit, tx);
      if (contacts.length > 0) {
        await this.hide(
          accountId,
          // Everybody is erased, so it does not matter who else has a former identity now.
          contacts.map((contact) => ({ contacts: [contact], former: contact.formerIdentities })),
          tx,
        );
        // Before the purge is deleted, which locks the configuration epoch.
        await eraseFromSources(
          accountId,
          contacts.map((contact) => contact.id),
          tx,
        );
      }
      await savePurgeProgress(accountId, contacts.length < limit ? null : (contacts.at(-1)?.id ?? null), tx);
      return contacts.length;
    });
  }

  private async eraseWithin(accountId: string, id: RecordId, tx: Tx): Promise<ContactErasure> {
    const contacts = await findPerson(accountId, id, { lock: true }, tx);
    const [person] = contacts;
    if (person === undefined) throw contactNotFound(id);
    if (person.erasedAt === null) {
      const ids = contacts.map((contact) => contact.id);
      const former = await findFormerIdentities(accountId, ids, tx);
      await this.hide(accountId, [{ contacts, former }], tx);
      await eraseFromSourcesAtEnd(accountId, ids, tx);
      await AuditLog.write(accountId, { action: 'contact.erased', subjectId: person.id }, tx);
    }
    return tx.manager.findOneByOrFail(ContactErasure, { accountId, contactId: person.id });
  }

  /**
   * Clears the contacts of people and records their erasure. Locks are taken in the order of all writers: contacts,
   * conversations, groups.
   *
   * @param people those to hide
   */
  private async hide(accountId: string, people: readonly HiddenPerson[], tx: Tx): Promise<void> {
    const ids = people.flatMap(({ contacts }) => contacts.map(({ id }) => id));
    await ConsentLedger.keepOptOuts(accountId, await findConsents(accountId, ids, tx), now(), tx);
    await blankContacts(accountId, ids, tx);
    await removeConversations(accountId, ids, tx);
    await leaveAllGroups(accountId, ids, tx);
    await dropWaitingBodies(accountId, tx);
    const erasures = people.flatMap((person) =>
      person.contacts.map(({ id }, index) => ({
        contactId: id,
        identity: index === 0 ? this.seal(accountId, id, person) : null,
      })),
    );
    await recordErasures(accountId, erasures, tx);
  }

  private seal(accountId: string, id: RecordId, { contacts, former }: HiddenPerson): string {
    return this.secrets.seal(JSON.stringify([...tokensOf(contacts), ...former]), identityPlace(accountId, id));
  }
}

/** The tokens by which a person is found in texts. Names are not used, because other people share them. */
const tokensOf = (contacts: readonly Contact[]): string[] =>
  contacts.flatMap(({ phoneNumber, waId, userId, email }) =>
    [phoneNumber, waId, userId, email].filter((token) => token !== null),
  );
