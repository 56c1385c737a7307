import { Inject, Injectable, Logger } from '@nestjs/common';
import type { BusinessPhone } from '../accounts/business-phones.service.js';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { rememberWaId } from '../contacts/consent.queries.js';
import { MicroBatch } from '../database/micro-batch.js';
import { Pipeline } from '../database/pipeline.js';
import { type Tx, UnitOfWork } from '../database/unit-of-work.js';
import { DomainError } from '../errors/domain-error.js';
import type { Claim } from '../idempotency/idempotency-keys.service.js';
import { claimUnderWay, noteRecordsOfKeys, type RecordNote } from '../idempotency/record-notes.js';
import type { Acceptance } from '../network/network.js';
import type { NetworkRefusal } from '../network/network-error.js';
import { TemplateCatalog } from '../templates/template-catalog.service.js';
import { now } from '../values/clock.js';
import type { PhoneNumber } from '../values/phone-number.js';
import { newRecordId } from '../values/record-id.js';
import { settleUnknown } from './message.queries.js';
import { fullName } from './message-event.js';
import { PATIENCE_MS } from './retry-rules.js';
import {
  type NewSingleIntent,
  type SingleIntentRow,
  storeForKnownContacts,
  storeSingleIntents,
} from './single-intent.queries.js';

/** A message that a caller wants sent. */
export interface IntendedMessage {
  readonly phone: BusinessPhone;
  readonly contactPhone: PhoneNumber;
  readonly contactName: string | null;
  readonly messageType: string;
  /** What a person would read. */
  readonly content: string;
  readonly template: { readonly id: string; readonly name: string; readonly marketing: boolean } | null;
  /** The message as the network takes it, without recipient and our id. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** An intent that is committed. */
export interface StoredIntent {
  readonly id: string;
  readonly contactId: string;
  readonly contactName: string;
}

const BATCH = { mostItems: 100, concurrency: 4 };

/** Stores what is about to be sent, and what the network's answer teaches about contact and template. */
@Injectable()
export class SingleIntents {
  private readonly logger = new Logger(SingleIntents.name);
  private readonly known = new MicroBatch<IntendedMessage, StoredIntent | null | undefined>(
    (messages) => this.storeKnown(messages),
    BATCH,
  );
  private readonly all = new MicroBatch<KeyedIntention, StoredIntent | null>(
    (intentions) => this.storeAll(intentions),
    BATCH,
  );

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly unitOfWork: UnitOfWork,
    private readonly pipeline: Pipeline,
    private readonly templates: TemplateCatalog,
  ) {}

  /**
   * Commits contact, thread and a `pending` message together; sends that come together share the commit.
   *
   * @throws DomainError `contact_opted_out` for a MARKETING template (D21); no message is stored then
   */
  async store(message: IntendedMessage): Promise<StoredIntent> {
    const claim = claimUnderWay();
    const toKnown = claim === null ? await this.known.run(message) : undefined;
    const stored = toKnown === undefined ? await this.all.run({ message, claim }) : toKnown;
    if (stored === null) {
      throw new DomainError(
        'contact_opted_out',
        `contact ${message.contactPhone} has opted out: marketing templates are not sent to it`,
      );
    }
    return stored;
  }

  /**
   * Stores contact, thread and a `pending` message in the caller's transaction, for a message that no consent forbids.
   * Should the process die before it sends it, the message fails at the horizon.
   */
  async storeWithin(message: IntendedMessage, tx: Tx): Promise<StoredIntent> {
    const at = now();
    const intent = intentOf(message);
    const rows = await storeSingleIntents([intent], at, this.settleAfter(at), tx);
    const stored = storedIntentOf(intent.id, rows[0]);
    if (stored === null) throw new Error(`message ${intent.id} is of a marketing template`);
    return stored;
  }

  /** Undefined for those whose contact is new, deleted or to be named. */
  private async storeKnown(messages: readonly IntendedMessage[]): Promise<(StoredIntent | null | undefined)[]> {
    const at = now();
    const intents = messages.map(intentOf);
    const rows = await storeForKnownContacts(intents, at, this.settleAfter(at), this.pipeline.tx);
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    return intents.map(({ id }) => (rowOf.has(id) ? storedIntentOf(id, rowOf.get(id)) : undefined));
  }

  private async storeAll(intentions: readonly KeyedIntention[]): Promise<(StoredIntent | null)[]> {
    const at = now();
    const settleAt = this.settleAfter(at);
    const intents = intentions.map(({ message }) => intentOf(message));
    const rows = intentions.every(({ claim }) => claim === null)
      ? await storeSingleIntents(intents, at, settleAt, this.pipeline.tx)
      : await this.unitOfWork.transaction(async (tx) => {
          const stored = await storeSingleIntents(intents, at, settleAt, tx);
          await noteRecordsOfKeys(notesOf(intentions, intents, stored), tx);
          return stored;
        });
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    return intents.map(({ id }) => storedIntentOf(id, rowOf.get(id)));
  }

  /** The answer is lost: from now on the horizon counts (D14). */
  async settleLater({ phone }: IntendedMessage, intent: StoredIntent): Promise<void> {
    const settleAt = new Date(now().getTime() + this.environment.unknownOutcomeHorizonMs);
    await this.tryTo('set the horizon of a message', () =>
      settleUnknown(phone.accountId, intent.id, settleAt, this.unitOfWork.autocommit),
    );
  }

  /** While a live process may still be trying, a message is not given up, however short the horizon. */
  private settleAfter(at: Date): Date {
    const { unknownOutcomeHorizonMs, network } = this.environment;
    return new Date(at.getTime() + Math.max(unknownOutcomeHorizonMs, PATIENCE_MS + network.timeoutMs));
  }

  /** Keeps the number that the network knows the contact by, where it is another one (D69). */
  async follow({ phone, contactPhone }: IntendedMessage, intent: StoredIntent, { waId }: Acceptance): Promise<void> {
    if (waId === null || waId === contactPhone) return;
    await this.tryTo('keep the number of a contact', () =>
      rememberWaId(phone.accountId, intent.contactId, waId, this.unitOfWork.autocommit),
    );
  }

  /** A refusal may be about the template: it is not sent again until the network allows it. */
  async learn({ phone, template }: IntendedMessage, refusal: NetworkRefusal): Promise<void> {
    if (refusal.errorClass !== 'stop_template' || template === null) return;
    await this.tryTo('mark a template', () =>
      this.templates.markUnavailable(phone.accountId, template.id, refusal.code),
    );
  }

  /** The message's own outcome is committed by now: the caller is told of it, whatever becomes of the rest. */
  private async tryTo(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(`could not ${what}: ${(error as Error).message}`);
    }
  }
}

/** A message and the claim of its request on an Idempotency-Key, if it has one. */
interface KeyedIntention {
  readonly message: IntendedMessage;
  readonly claim: Claim | null;
}

/** Notes for those requests with a key whose message was stored. */
const notesOf = (
  intentions: readonly KeyedIntention[],
  intents: readonly NewSingleIntent[],
  stored: readonly SingleIntentRow[],
): RecordNote[] => {
  const refused = new Set(stored.filter((row) => row.refused).map(({ id }) => id));
  return intentions.flatMap(({ claim }, index) => {
    const recordId = intents[index]?.id;
    return claim === null || recordId === undefined || refused.has(recordId) ? [] : [{ claim, recordId }];
  });
};

/** Null for one that was refused. */
function storedIntentOf(id: string, row: SingleIntentRow | undefined): StoredIntent | null {
  if (row === undefined) throw new Error(`message ${id} was not stored`);
  if (row.refused) return null;
  return { id, contactId: row.contact_id, contactName: fullName(row.first_name, row.last_name) };
}

const intentOf = (message: IntendedMessage): NewSingleIntent => ({
  accountId: message.phone.accountId,
  id: newRecordId(),
  threadId: newRecordId(),
  contactPhone: message.contactPhone,
  contactName: message.contactName,
  businessPhoneId: message.phone.id,
  messageType: message.messageType,
  content: message.content,
  templateName: message.template?.name ?? null,
  marketing: message.template?.marketing ?? false,
});
