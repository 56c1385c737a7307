import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { MicroBatch } from '../../database/batching/micro-batch.js';
import { Pipeline } from '../../database/connections/pipeline.js';
import { isTransient } from '../../database/connections/transient-errors.js';
import { withRetries } from '../../database/connections/with-retries.js';
import { SQLSTATE, sqlStateOf } from '../../database/sql/sqlstate.js';
import type { Tx } from '../../database/unit-of-work.js';
import { Contact } from '../contact.entity.js';
import { addNumber, findByIdentity, type LearnedIdentity, saveNewUserIds } from './contact-identity.queries.js';
import { isIdentityRace, mergeIdentities } from './person.queries.js';

/** Attempts of a transaction that conflicts with another one about the same person. */
const MAX_TRIES = 5;
/** Total time for the identities of a batch that the bulk statement did not cover, milliseconds. */
const TIME_BUDGET_MS = 500;

/**
 * Stores the user ids and numbers that status reports contain. A report never creates a contact, and nothing waits for
 * this service: an identity that cannot be stored now comes again with the next report or message.
 */
@Injectable()
export class LearnedIdentitiesService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(LearnedIdentitiesService.name);
  private readonly batch = new MicroBatch<LearnedIdentity, void>(
    async (learned) => {
      await this.apply(learned);
      return learned.map(() => undefined);
    },
    { name: 'people', maxItems: 200, concurrency: 1, tenantOf: ({ accountId }) => accountId },
  );

  constructor(private readonly pipeline: Pipeline) {}

  /** Queues identities to be stored in the background. */
  enqueue(learned: readonly LearnedIdentity[]): void {
    for (const each of learned) {
      this.batch.run(each).catch((error: Error) => this.logger.debug(`a user id was not stored: ${error.message}`));
    }
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.batch.drained();
  }

  private async apply(learned: readonly LearnedIdentity[]): Promise<void> {
    const done = new Set((await this.keepNew(learned)).map(keyOf));
    const rest = learned.filter(({ accountId, contactId: id }) => !done.has(keyOf({ accountId, id })));
    const until = performance.now() + TIME_BUDGET_MS;
    for (const each of rest) if (performance.now() < until) await this.applyOne(each);
  }

  /** Stores the common case in one statement. If it conflicts with another transaction, all are stored one by one. */
  private async keepNew(learned: readonly LearnedIdentity[]): Promise<Pick<Contact, 'accountId' | 'id'>[]> {
    try {
      return await saveNewUserIds(learned, this.pipeline.autocommit);
    } catch (error) {
      if (!isIdentityRace(error)) throw error;
      return [];
    }
  }

  private async applyOne(learned: LearnedIdentity): Promise<void> {
    const once = () => this.pipeline.transaction((tx) => this.applyWithin(learned, tx));
    try {
      await withRetries(once, isIdentityRace, MAX_TRIES);
    } catch (error) {
      const isBusy = sqlStateOf(error) === SQLSTATE.lockNotAvailable || isIdentityRace(error);
      if (!isBusy && isTransient(error)) throw error;
      this.logger.warn(`a user id was not stored: ${(error as Error).message}`);
    }
  }

  private async applyWithin({ accountId, contactId, number, ...user }: LearnedIdentity, tx: Tx): Promise<void> {
    const contact = await tx.manager.findOneBy(Contact, { accountId, id: contactId });
    if (contact === null || contact.mergedInto !== null || contact.erasedAt !== null) return;
    if (contact.phoneNumber !== null) return mergeIdentities(accountId, contactId, user, tx);
    if (number === null) return;
    const { ofNumber, ofUser } = await findByIdentity(accountId, number, user.userId, tx);
    if (ofNumber !== null) await mergeIdentities(accountId, ofNumber.id, user, tx);
    else if (ofUser !== null && ofUser.phoneNumber === null) await addNumber(accountId, ofUser.id, number, tx);
  }
}

const keyOf = ({ accountId, id }: Pick<Contact, 'accountId' | 'id'>): string => `${accountId}/${id}`;
