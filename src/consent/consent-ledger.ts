import type { Tx } from '../database/unit-of-work.js';
import { now } from '../values/clock.js';
import { newRecordId, type RecordId } from '../values/record-id.js';
import { type AppliedDecision, applyDecision, joinLedgers } from './consent-ledger.queries.js';
import type { Decision, Verdict } from './decision.js';
import { identityHashesOf } from './identity-hashes.service.js';
import { findSuppressions, forgetSuppressions, keepSuppressions } from './suppression.queries.js';

/** A contact that is erased, or loses identities, as far as its consent is concerned. */
export interface LostConsent {
  readonly id: RecordId;
  readonly optedIn: boolean;
  readonly consentAt: Date | null;
  readonly consentBy: Decision['by'] | null;
  /** What it loses of its number, the network's number and its user id, where known. */
  readonly identities: readonly (string | null)[];
}

/**
 * The ledger of consent. Every decision about marketing messages goes through it, in the transaction of what caused it,
 * and nothing else changes `contacts.opted_in`. docs/data-protection.md explains the rule.
 */
export class ConsentLedger {
  /**
   * Enters a decision about a contact; if it has been merged, about the contact that it was merged into.
   *
   * @returns what the decision did to the one in force; null when there is no such contact
   */
  static async decide(accountId: string, contactId: RecordId, decision: Decision, tx: Tx): Promise<Verdict | null> {
    const applied = await applyDecision(accountId, contactId, decision, tx);
    if (applied === null) return null;
    if (applied.mergedInto !== null) return ConsentLedger.decide(accountId, applied.mergedInto, decision, tx);
    const { verdict } = applied;
    const holds = verdict === 'taken' || verdict === 'repeated';
    if (holds && decision.optedIn && mayLift(decision)) await ConsentLedger.lift(accountId, applied, tx);
    return verdict;
  }

  /** Forgets what the person of a contact decided before they were one: they have opted in. */
  private static async lift(
    accountId: string,
    { phoneNumber, waId, userId, decidedAt }: AppliedDecision,
    tx: Tx,
  ): Promise<void> {
    const hashes = identityHashesOf(tx);
    const known = [phoneNumber, waId, userId].flatMap((identity) =>
      identity === null ? [] : hashes.ofSpellings(accountId, identity),
    );
    if (known.length > 0) await forgetSuppressions(accountId, known, decidedAt, tx);
  }

  /**
   * Applies what people without a contact decided to a contact that has just got their number or user id. New contacts
   * don't need this: the statement that creates them reads the suppressions.
   */
  static async learn(accountId: string, contactId: RecordId, identities: readonly string[], tx: Tx): Promise<void> {
    const hashes = identityHashesOf(tx);
    const known = identities.flatMap((identity) => hashes.ofSpellings(accountId, identity));
    if (known.length === 0) return;
    for (const optOut of await findSuppressions(accountId, known, tx)) {
      await ConsentLedger.decide(accountId, contactId, optOut, tx);
    }
  }

  /**
   * Applies what was decided at a number that an account gives to a contact. Nobody tells whether the contact is the person
   * who had it, so an opt-out there is made again now: no opt-in from elsewhere, however new, speaks for the number.
   */
  static async renumber(accountId: string, contactId: RecordId, phoneNumber: string, tx: Tx): Promise<void> {
    for (const optOut of await findSuppressions(
      accountId,
      identityHashesOf(tx).ofSpellings(accountId, phoneNumber),
      tx,
    )) {
      await ConsentLedger.decide(accountId, contactId, { ...optOut, at: null }, tx);
    }
  }

  /**
   * Keeps the decision of somebody who is no contact, by a hash of each identity.
   *
   * @throws DomainError 503 while the hash key cannot be decrypted
   */
  static async decideUnknown(
    accountId: string,
    identities: readonly string[],
    { optedIn, by, at, evidence }: Decision & { readonly at: Date },
    tx: Tx,
  ): Promise<void> {
    const hashes = identityHashesOf(tx).ofAll(accountId, identities, 'the decision was not kept');
    if (optedIn) return forgetSuppressions(accountId, hashes, at, tx);
    const person = newRecordId();
    const optOuts = hashes.map((identityHash) => ({ identityHash, person, by, at, evidence, contactId: null }));
    await keepSuppressions(accountId, optOuts, tx);
  }

  /** Joins the ledgers of two contacts that are one person. Both are locked. */
  static merge(accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> {
    return joinLedgers(accountId, keptId, goneId, tx);
  }

  /**
   * Keeps the opt-out of a contact at the number and user id that it loses: a contact that gets them starts opted out.
   * Does nothing while the hash key cannot be decrypted, so that no inbound message is refused for it.
   */
  static async leave(accountId: string, contact: LostConsent, tx: Tx): Promise<void> {
    if (!contact.optedIn && identityHashesOf(tx).isReadable)
      await ConsentLedger.keepOptOuts(accountId, [contact], now(), tx);
  }

  /**
   * Opts out a contact if another one had opted out whose user id, number or spelling of a number it shares or gets. As in
   * a merge, the opt-out is made again now.
   */
  static async takeOver(
    accountId: string,
    contactId: RecordId,
    former: Pick<LostConsent, 'id' | 'optedIn' | 'consentAt' | 'consentBy'>,
    tx: Tx,
  ): Promise<void> {
    if (former.optedIn || former.consentAt === null) return;
    const evidence = { kind: 'merge', id: former.id } as const;
    const by = former.consentBy ?? 'person';
    await ConsentLedger.decide(accountId, contactId, { optedIn: false, by, at: null, evidence }, tx);
  }

  /**
   * Keeps the opt-outs of contacts that are being erased, and forgets those that they have lifted.
   *
   * @throws DomainError 503 when one has opted out and the hash key cannot be decrypted
   */
  static async keepOptOuts(accountId: string, erased: readonly LostConsent[], at: Date, tx: Tx): Promise<void> {
    const hashes = identityHashesOf(tx);
    const hashed = erased.flatMap((contact) => {
      // Made while the key could not be read: what is known of the person is in the suppressions already.
      if (!contact.optedIn && contact.consentAt === null) return [];
      if (contact.optedIn && !hashes.isReadable) return [];
      return hashes
        .ofAll(accountId, contact.identities, 'the contact, which has opted out, was not erased')
        .map((identityHash) => ({ ...contact, identityHash }));
    });
    await forgetSuppressions(
      accountId,
      hashed.flatMap(({ optedIn, identityHash }) => (optedIn ? [identityHash] : [])),
      at,
      tx,
    );
    await keepSuppressions(
      accountId,
      hashed.flatMap(({ optedIn, id, identityHash, consentAt, consentBy }) =>
        optedIn
          ? []
          : [
              {
                identityHash,
                person: id,
                by: consentBy ?? 'person',
                at: consentAt ?? at,
                contactId: id,
                evidence: null,
              },
            ],
      ),
      tx,
    );
  }
}

/** An account's own opt-in lifts what others decided only in a call about this contact. */
const mayLift = ({ by, lifts = false }: Decision): boolean => by !== 'account' || lifts;
