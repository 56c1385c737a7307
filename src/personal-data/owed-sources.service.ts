import { Injectable, Logger } from '@nestjs/common';
import { findPerson } from '../contacts/erasure/contact-erasure.queries.js';
import { BackgroundUnitOfWork, type Tx } from '../database/unit-of-work.js';
import { eraseFrom, mergeIn } from '../hooks/personal-data.js';
import { lockDebt, postponeDebt, settleDebt } from '../hooks/personal-data-debt.queries.js';
import { Contact } from '../people/contact.entity.js';
import type { RecordId } from '../values/record-id.js';

/** Debts tried per account and sweep, because each may take its full time. */
const MAX_TRIED = 5;

/** Asks sources of personal data again that could not erase or merge a contact. */
@Injectable()
export class OwedSourcesService {
  private readonly logger = new Logger(OwedSourcesService.name);

  constructor(private readonly unitOfWork: BackgroundUnitOfWork) {}

  /** Tries the next debts of an account, each in a transaction of its own. */
  async retry(accountId: string): Promise<void> {
    for (let tried = 0; tried < MAX_TRIED; tried += 1) {
      if (!(await this.unitOfWork.transaction((tx) => this.retryNext(accountId, tx)))) return;
    }
  }

  /** @returns whether there was one */
  private async retryNext(accountId: string, tx: Tx): Promise<boolean> {
    const debt = await lockDebt(accountId, tx);
    if (debt === null) return false;
    if (await this.isSettled(accountId, debt, tx)) {
      await settleDebt(accountId, debt, tx);
      return true;
    }
    await postponeDebt(accountId, debt, tx);
    this.logger.warn(`contact ${debt.contactId} of account ${accountId} is still owed by "${debt.source}"`);
    return true;
  }

  /** A contact that was merged and then erased is erased; one that was merged twice is moved to the last. */
  private async isSettled(
    accountId: string,
    { contactId, source }: { readonly contactId: RecordId; readonly source: string },
    tx: Tx,
  ): Promise<boolean> {
    const contact = await tx.manager.findOneBy(Contact, { accountId, id: contactId });
    if (contact === null || contact.erasedAt !== null) return eraseFrom(source, accountId, [contactId], tx);
    const [person] = await findPerson(accountId, contactId, { lock: false }, tx);
    return person === undefined || person.id === contactId || mergeIn(source, accountId, person.id, contactId, tx);
  }
}
