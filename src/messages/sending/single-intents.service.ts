import { Inject, Injectable, Logger } from '@nestjs/common';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { rememberWaId } from '../../contacts/consent.queries.js';
import { fullName } from '../../contacts/contact-name.js';
import type { ContactIdentity, ContactRef } from '../../contacts/contact-ref.js';
import { MicroBatch, NotStarted } from '../../database/batching/micro-batch.js';
import { Pipeline } from '../../database/connections/pipeline.js';
import { isContention, isTransient } from '../../database/connections/transient-errors.js';
import { untilStored } from '../../database/connections/until-stored.js';
import { type Tx, UnitOfWork } from '../../database/unit-of-work.js';
import { DomainError } from '../../errors/domain-error.js';
import type { Claim } from '../../idempotency/idempotency-keys.service.js';
import { currentClaim, noteRecordsOfKeys, type RecordNote } from '../../idempotency/record-notes.js';
import type { Acceptance } from '../../network/network.js';
import type { NetworkRefusal } from '../../network/network-error.js';
import { TemplateCatalogService } from '../../templates/rendering/template-catalog.service.js';
import { now } from '../../values/clock.js';
import { newRecordId } from '../../values/record-id.js';
import { SINGLE_SEND_TIMEOUT_MS } from './retry-rules.js';
import { insertInFlight } from './send-in-flight.queries.js';
import {
  kindsOf,
  type NewSingleIntent,
  type SingleIntentRow,
  storeForKnownContacts,
  storeSingleIntents,
} from './single-intent.queries.js';

/** A message to be sent. */
export interface IntendedMessage {
  readonly phone: BusinessPhone;
  /** As the caller named it; the request to the network names it the same way. */
  readonly contact: ContactRef;
  readonly contactName: string | null;
  readonly messageType: string;
  /** The text shown in conversations. */
  readonly content: string;
  readonly template: { readonly id: string; readonly name: string; readonly marketing: boolean } | null;
  /** The network's request body, without the recipient and our id. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** A committed intent to send a message. */
export interface StoredIntent {
  readonly id: string;
  readonly contactId: string;
  readonly contactName: string;
  /** The contact's number and user id, however the caller named it. */
  readonly contact: ContactIdentity;
}

const BATCH = { maxItems: 100, concurrency: 2 };
/** How long the server may keep running a statement after we abandoned its connection, milliseconds. */
const ABANDONED_STATEMENT_MS = 10_000;

/**
 * Commits single messages before they are sent, and stores what the network's answer reveals about contact and
 * template.
 */
@Injectable()
export class SingleIntentsService {
  private readonly logger = new Logger(SingleIntentsService.name);
  private readonly known = new MicroBatch<NewSingleIntent, StoredIntent | null | undefined>(
    (intents) => this.storeKnown(intents),
    { ...BATCH, name: 'sends', tenantOf: ({ accountId }) => accountId },
  );
  private readonly all = new MicroBatch<KeyedIntent, StoredIntent | null>((keyed) => this.storeAll(keyed), {
    ...BATCH,
    name: 'sends-in-full',
    tenantOf: ({ intent }) => intent.accountId,
  });

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    private readonly unitOfWork: UnitOfWork,
    private readonly pipeline: Pipeline,
    private readonly templates: TemplateCatalogService,
  ) {}

  /**
   * Commits contact, conversation and a `pending` message together. Sends that arrive at the same time share the
   * commit.
   *
   * @throws DomainError `contact_opted_out` for a MARKETING template to a contact that opted out; no message is stored
   * @throws the database's error: the message is not sent, and fails if it was stored after all
   */
  async store(message: IntendedMessage): Promise<StoredIntent> {
    const intent = intentOf(message);
    const stored = await this.storeOnce(intent, currentClaim());
    if (stored === null) {
      throw new DomainError(
        'contact_opted_out',
        `contact ${message.contact.value} has opted out and does not receive marketing templates`,
      );
    }
    return stored;
  }

  private async storeOnce(intent: NewSingleIntent, claim: Claim | null): Promise<StoredIntent | null> {
    try {
      const toKnown = claim === null ? await this.known.run(intent) : undefined;
      return toKnown === undefined ? await this.all.run({ intent, claim }) : toKnown;
    } catch (error) {
      if (isTransient(error) && !isContention(error) && !(error instanceof NotStarted)) void this.markUnsent(intent);
      throw error;
    }
  }

  /**
   * Makes the sweep fail the message if its intent turns out to be committed. The caller has been told that the message
   * was not sent, but the statement may still be running.
   */
  private async markUnsent({ accountId, id }: NewSingleIntent): Promise<void> {
    const batch = {
      accountId,
      id: newRecordId(),
      campaignId: null,
      messageIds: [id],
      leaseUntil: null,
      settleAt: new Date(now().getTime() + ABANDONED_STATEMENT_MS),
      unsent: true,
    };
    try {
      await untilStored(() => insertInFlight([batch], this.pipeline.autocommit), {
        what: 'the failure of an unsent message',
        logger: this.logger,
      });
    } catch (error) {
      this.logger.error(`message ${id} is not settled before its horizon: ${(error as Error).message}`);
    }
  }

  /**
   * Stores contact, conversation and a `pending` message in the caller's transaction. Not for marketing templates. If
   * the process dies before sending, the message fails at the horizon.
   */
  async storeWithin(message: IntendedMessage, tx: Tx): Promise<StoredIntent> {
    const at = now();
    const intent = intentOf(message);
    const rows = await storeSingleIntents([intent], at, this.settleAfter(at), tx);
    const stored = storedIntentOf(intent.id, rows[0]);
    if (stored === null) throw new Error(`message ${intent.id} has a marketing template`);
    return stored;
  }

  /** Returns undefined for messages whose contact is new, deleted or about to get a name. */
  private async storeKnown(intents: readonly NewSingleIntent[]): Promise<(StoredIntent | null | undefined)[]> {
    const at = now();
    const rows = await this.inOneCommit(intents, (tx) => storeForKnownContacts(intents, at, this.settleAfter(at), tx));
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    return intents.map(({ id }) => (rowOf.has(id) ? storedIntentOf(id, rowOf.get(id)) : undefined));
  }

  private async storeAll(keyed: readonly KeyedIntent[]): Promise<(StoredIntent | null)[]> {
    const at = now();
    const settleAfter = this.settleAfter(at);
    const intents = keyed.map(({ intent }) => intent);
    const rows = keyed.every(({ claim }) => claim === null)
      ? await this.inOneCommit(intents, (tx) => storeSingleIntents(intents, at, settleAfter, tx))
      : await this.inTransaction(async (tx) => {
          const stored = await storeSingleIntents(intents, at, settleAfter, tx);
          await noteRecordsOfKeys(notesOf(keyed, stored), tx);
          return stored;
        });
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    return intents.map(({ id }) => storedIntentOf(id, rowOf.get(id)));
  }

  /** A single statement needs no transaction. */
  private inOneCommit<T>(intents: readonly NewSingleIntent[], store: (tx: Tx) => Promise<T>): Promise<T> {
    return kindsOf(intents).length > 1 ? this.inTransaction(store) : store(this.pipeline.autocommit);
  }

  private inTransaction<T>(store: (tx: Tx) => Promise<T>): Promise<T> {
    return this.pipeline.transaction(store);
  }

  /** Starts the horizon of a message whose answer was lost. */
  async settleLater({ phone }: IntendedMessage, intent: StoredIntent): Promise<void> {
    const batch = {
      accountId: phone.accountId,
      id: newRecordId(),
      campaignId: null,
      messageIds: [intent.id],
      leaseUntil: null,
      settleAt: new Date(now().getTime() + this.environment.unknownOutcomeHorizonMs),
    };
    await this.tryTo('set the horizon of a message', () => insertInFlight([batch], this.pipeline.autocommit));
  }

  /** The horizon starts after the longest time a live process may still be sending the message. */
  private settleAfter(at: Date): Date {
    const { unknownOutcomeHorizonMs, network } = this.environment;
    return new Date(at.getTime() + SINGLE_SEND_TIMEOUT_MS + network.timeoutMs + unknownOutcomeHorizonMs);
  }

  /** Stores the network's number of the contact if it differs from the one the caller used. */
  async storeWaId({ phone, contact }: IntendedMessage, intent: StoredIntent, { waId }: Acceptance): Promise<void> {
    if (waId === null || contact.by !== 'phone_number' || waId === contact.value) return;
    await this.tryTo('store the network’s number of a contact', () =>
      rememberWaId(phone.accountId, intent.contactId, waId, this.unitOfWork.writes(phone.accountId)),
    );
  }

  /** Stops sends of the template if the refusal was about it, until the network allows it again. */
  async stopTemplate({ phone, template }: IntendedMessage, refusal: NetworkRefusal): Promise<void> {
    if (refusal.errorClass !== 'stop_template' || template === null) return;
    await this.tryTo('mark a template as unavailable', () =>
      this.templates.markUnavailable(phone.accountId, template.id, refusal.code),
    );
  }

  /** Logs failures instead of throwing: the caller gets the message's outcome, whatever happens to these extras. */
  private async tryTo(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(`could not ${what}: ${(error as Error).message}`);
    }
  }
}

/** An intent, and its request's claim on an Idempotency-Key, if it has one. */
interface KeyedIntent {
  readonly intent: NewSingleIntent;
  readonly claim: Claim | null;
}

/** Notes for the requests with a key whose message was stored. */
const notesOf = (keyed: readonly KeyedIntent[], stored: readonly SingleIntentRow[]): RecordNote[] => {
  const refused = new Set(stored.filter((row) => row.refused).map(({ id }) => id));
  return keyed.flatMap(({ intent: { id }, claim }) =>
    claim === null || refused.has(id) ? [] : [{ claim, recordId: id }],
  );
};

/** Null when the message was refused. */
function storedIntentOf(id: string, row: SingleIntentRow | undefined): StoredIntent | null {
  if (row === undefined) throw new Error(`message ${id} was not stored`);
  if (row.refused) return null;
  const { contactId, phoneNumber, userId } = row;
  return { id, contactId, contactName: fullName(row), contact: { phoneNumber, userId } };
}

const intentOf = (message: IntendedMessage): NewSingleIntent => ({
  accountId: message.phone.accountId,
  id: newRecordId(),
  contact: message.contact,
  contactName: message.contactName,
  businessPhoneId: message.phone.id,
  messageType: message.messageType,
  content: message.content,
  templateName: message.template?.name ?? null,
  marketing: message.template?.marketing ?? false,
});
