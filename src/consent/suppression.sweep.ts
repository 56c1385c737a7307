import { Injectable } from '@nestjs/common';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { Sweep } from '../queues/sweep.js';
import { MINUTE, SECOND } from '../values/clock.js';
import { NIL_ID, type RecordId } from '../values/record-id.js';
import { ConsentLedger } from './consent-ledger.js';
import {
  clearUnchecked,
  contactsCreatedBetween,
  findUnchecked,
  type IdentifiedContact,
  UNSETTLED_CONSENT,
} from './consent-ledger.queries.js';
import { identityHashesOf } from './identity-hashes.service.js';
import { findUnsettledSuppressions, type RecentSuppression, settleSuppressions } from './suppression.queries.js';

const MAX_SUPPRESSIONS = 1000;
const CONTACTS_PER_STATEMENT = 1000;
/** No statement that creates contacts runs longer. */
const MAX_STATEMENT_MS = 5 * MINUTE;

/**
 * Makes sure that no contact misses an opt-out of its person. A statement that creates contacts does not see an opt-out
 * that commits while it runs, so contacts created around that time are looked through five minutes later, when all such
 * statements have ended. Contacts made while the hash key could not be read are checked once it can.
 */
@Injectable()
export class SuppressionSweep extends Sweep {
  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {
    super(5 * SECOND, { look: UNSETTLED_CONSENT });
  }

  protected async sweep(): Promise<void> {
    if (!identityHashesOf(this.unitOfWork.autocommit).isReadable) return;
    const recent = await findUnsettledSuppressions(MAX_SUPPRESSIONS, this.unitOfWork.autocommit);
    await this.forEachAccount(recent, (accountId, own) => this.lookAgain(accountId, own));
    const unchecked = await findUnchecked(CONTACTS_PER_STATEMENT, this.unitOfWork.autocommit);
    await this.forEach(unchecked, nameOf, (contact) => this.check(contact));
  }

  private async lookAgain(accountId: string, suppressions: readonly RecentSuppression[]): Promise<void> {
    const hashes = identityHashesOf(this.unitOfWork.autocommit);
    const wanted = new Set(suppressions.map(({ identityHash }) => identityHash));
    const times = suppressions.map(({ writtenAt }) => writtenAt.getTime());
    const span = [
      new Date(Math.min(...times) - MAX_STATEMENT_MS),
      new Date(Math.max(...times) + MAX_STATEMENT_MS),
    ] as const;
    let isComplete = true;
    for (let after: RecordId | null = NIL_ID; after !== null; ) {
      const contacts: IdentifiedContact[] = await contactsCreatedBetween(
        accountId,
        span,
        after,
        CONTACTS_PER_STATEMENT,
        this.unitOfWork.autocommit,
      );
      const left = await this.forEach(contacts, nameOf, async (contact) => {
        const found = identitiesOf(contact).filter((identity) =>
          hashes.ofSpellings(accountId, identity).some((hash) => wanted.has(hash)),
        );
        if (found.length > 0) {
          await this.unitOfWork.transaction((tx) => ConsentLedger.learn(accountId, contact.id, found, tx));
        }
      });
      isComplete &&= left.length === 0;
      after = contacts.length < CONTACTS_PER_STATEMENT ? null : (contacts.at(-1)?.id ?? null);
    }
    if (!isComplete) return;
    await settleSuppressions(accountId, [...wanted], new Date(Math.max(...times)), this.unitOfWork.autocommit);
  }

  private async check({ accountId, ...contact }: IdentifiedContact & { readonly accountId: string }): Promise<void> {
    await this.unitOfWork.transaction(async (tx) => {
      await ConsentLedger.learn(accountId, contact.id, identitiesOf(contact), tx);
      await clearUnchecked(accountId, contact.id, tx);
    });
  }
}

const identitiesOf = ({ phoneNumber, waId, userId }: IdentifiedContact): string[] =>
  [phoneNumber, waId, userId].filter((identity) => identity !== null);

const nameOf = ({ id }: IdentifiedContact): string => `contact ${id}`;
