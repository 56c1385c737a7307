import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { MicroBatch } from '../database/batching/micro-batch.js';
import { isContention } from '../database/connections/transient-errors.js';
import { withRetries } from '../database/connections/with-retries.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';
import { hastenHistory } from './identity-task.queries.js';
import {
  type LearnedIdentity,
  newsAbout,
  type SentContact,
  type ToldIdentity,
  toldIdentity,
} from './learned-identity.js';
import { saveUsualIdentities } from './learned-identity.queries.js';
import { isIdentityRace, learnIdentity } from './learning.js';

/** Attempts of a transaction that conflicts with another one about the same person. */
const MAX_TRIES = 5;
/** Total time for the user ids of a batch that the bulk statement did not cover, milliseconds; they come again. */
const TIME_BUDGET_MS = 500;

/**
 * Learns what the network's answers and reports say about the people we send to: their number as the network spells it,
 * and their user id. Single sends, campaigns and automatic replies all end here. Nobody waits for it, no contact is
 * created by it, and contacts that turn out to be one person are merged. What a killed process had not stored comes
 * again with the next message.
 */
@Injectable()
export class LearnedIdentitiesService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(LearnedIdentitiesService.name);
  private readonly batch = new MicroBatch<LearnedIdentity, void>(
    async (learned) => {
      await this.apply(learned);
      return learned.map(() => undefined);
    },
    { name: 'people', maxItems: 200, concurrency: 1, tenantOf: ({ accountId }) => accountId, keepsAll: true },
  );

  constructor(private readonly unitOfWork: UnitOfWork) {}

  /** As {@link learn}, from the network's answer to a send. */
  learnAnswer(
    sent: SentContact,
    { waId, userId }: { readonly waId: string | null; readonly userId: string | null },
  ): void {
    const { contact } = sent;
    const knowsNumber = waId === null || waId === contact.phoneNumber || waId === sent.waId;
    if (!knowsNumber || (userId !== null && userId !== contact.userId))
      this.learn(sent, toldIdentity(waId, userId, null));
  }

  /** Learns in the background what the network says about somebody we sent to; costs nothing if it is known. */
  learn(contact: SentContact, told: ToldIdentity): void {
    const news = newsAbout(contact, told);
    if (news !== null) this.enqueue([news]);
  }

  /** Queues identities to be stored in the background. */
  enqueue(learned: readonly LearnedIdentity[]): void {
    for (const each of learned) this.batch.run(each).catch((error: Error) => this.log(error));
  }

  /** Moves what was stored for a contact after it had been merged, in the background. */
  follow(accountId: string, contactId: RecordId): void {
    hastenHistory(accountId, contactId, this.unitOfWork.writes(accountId)).catch((error: Error) => this.log(error));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.batch.drained();
  }

  private async apply(given: readonly LearnedIdentity[]): Promise<void> {
    const learned = onePerContact(given);
    const saved = new Set((await this.saveUsual(learned)).map(keyOf));
    const until = performance.now() + TIME_BUDGET_MS;
    for (const each of learned) {
      if (saved.has(keyOf(each)) || (each.number === null && performance.now() > until)) continue;
      await this.applyOne(each);
    }
  }

  /** Stores the common case in one statement. If it conflicts with another transaction, all are stored one by one. */
  private async saveUsual(
    learned: readonly LearnedIdentity[],
  ): Promise<Pick<LearnedIdentity, 'accountId' | 'contactId'>[]> {
    try {
      return await saveUsualIdentities(learned, this.unitOfWork.autocommit);
    } catch (error) {
      if (!isIdentityRace(error)) throw error;
      return [];
    }
  }

  private async applyOne(learned: LearnedIdentity): Promise<void> {
    const { accountId, contactId } = learned;
    const writes = this.unitOfWork.writes(accountId);
    const once = () => writes.transaction((tx) => learnIdentity(accountId, contactId, learned, tx));
    await withRetries(once, isIdentityRace, MAX_TRIES).catch((error: Error) => {
      // The batch sets the account apart, so that others do not wait for its locks, and tries again.
      if (isContention(error)) throw error;
      this.log(error);
    });
  }

  private log({ message }: Error): void {
    this.logger.warn(`what the network says about a contact was not stored: ${message}`);
  }
}

/** What was learned about the same contact, in one entry; the latest counts. */
function onePerContact(given: readonly LearnedIdentity[]): LearnedIdentity[] {
  const merged = new Map<string, LearnedIdentity>();
  for (const each of given) {
    const known = merged.get(keyOf(each));
    merged.set(keyOf(each), {
      ...each,
      number: each.number ?? known?.number ?? null,
      user: each.user ?? known?.user ?? null,
    });
  }
  return [...merged.values()];
}

const keyOf = ({ accountId, contactId }: Pick<LearnedIdentity, 'accountId' | 'contactId'>): string =>
  `${accountId}/${contactId}`;
