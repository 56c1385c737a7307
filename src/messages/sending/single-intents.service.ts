import { Inject, Injectable, Logger } from '@nestjs/common';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/environment.token.js';
import { rememberWaId } from '../../contacts/consent.queries.js';
import type { ContactIdentity, ContactRef } from '../../contacts/contact-ref.js';
import { MicroBatch, NotStarted } from '../../database/batching/micro-batch.js';
import { isContention, isTransient } from '../../database/connections/passing-error.js';
import { Pipeline } from '../../database/connections/pipeline.js';
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
import { fullName } from '../message-event.js';
import { PATIENCE_MS } from './retry-rules.js';
import { insertInFlight } from './send-in-flight.queries.js';
import {
  kindsOf,
  type NewSingleIntent,
  type SingleIntentRow,
  storeForKnownContacts,
  storeSingleIntents,
} from './single-intent.queries.js';

/** A message that a caller wants sent. */
export interface IntendedMessage {
  readonly phone: BusinessPhone;
  /** As the caller named it: so the network is told. */
  readonly contact: ContactRef;
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
  /** What the contact is known by, however the caller named it. */
  readonly contact: ContactIdentity;
}

const BATCH = { maxItems: 100, concurrency: 2 };
/** How long the server may still be at a statement whose connection was given up, milliseconds. */
const STILL_AT_IT_MS = 10_000;

/** Stores what is about to be sent, and what the network's answer teaches about contact and template. */
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
   * Commits contact, thread and a `pending` message together; sends that come together share the commit.
   *
   * @throws DomainError `contact_opted_out` for a MARKETING template to a contact that opted out; no message is stored then.
   * What the database threw: the message is not sent, and fails should it have been stored all the same
   */
  async store(message: IntendedMessage): Promise<StoredIntent> {
    const intent = intentOf(message);
    const stored = await this.storeOnce(intent, currentClaim());
    if (stored === null) {
      throw new DomainError(
        'contact_opted_out',
        `contact ${message.contact.value} has opted out: marketing templates are not sent to it`,
      );
    }
    return stored;
  }

  private async storeOnce(intent: NewSingleIntent, claim: Claim | null): Promise<StoredIntent | null> {
    try {
      const toKnown = claim === null ? await this.known.run(intent) : undefined;
      return toKnown === undefined ? await this.all.run({ intent, claim }) : toKnown;
    } catch (error) {
      if (isTransient(error) && !isContention(error) && !(error instanceof NotStarted)) void this.giveUp(intent);
      throw error;
    }
  }

  /**
   * The caller hears that the message was not sent; whether its intent was committed is not known, and may still be decided.
   * Should it turn up, the sweep fails it.
   */
  private async giveUp({ accountId, id }: NewSingleIntent): Promise<void> {
    const batch = {
      accountId,
      id: newRecordId(),
      campaignId: null,
      messageIds: [id],
      leaseUntil: null,
      settleAt: new Date(now().getTime() + STILL_AT_IT_MS),
      unsent: true,
    };
    try {
      await untilStored(() => insertInFlight([batch], this.pipeline.autocommit), {
        what: 'the end of a send that was refused',
        logger: this.logger,
      });
    } catch (error) {
      this.logger.error(`message ${id} is left to its horizon: ${(error as Error).message}`);
    }
  }

  /**
   * Stores contact, thread and a `pending` message in the caller's transaction, for a message that needs no consent. If
   * the process dies before it sends the message, the message fails at the horizon.
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

  /** One statement commits by itself. */
  private inOneCommit<T>(intents: readonly NewSingleIntent[], store: (tx: Tx) => Promise<T>): Promise<T> {
    return kindsOf(intents).length > 1 ? this.inTransaction(store) : store(this.pipeline.autocommit);
  }

  private inTransaction<T>(store: (tx: Tx) => Promise<T>): Promise<T> {
    return this.pipeline.transaction(store);
  }

  /** The answer is lost: from now on the horizon counts. */
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

  /** While a live process may still be trying, a message is not given up, however short the horizon. */
  private settleAfter(at: Date): Date {
    const { unknownOutcomeHorizonMs, network } = this.environment;
    return new Date(at.getTime() + PATIENCE_MS + network.timeoutMs + unknownOutcomeHorizonMs);
  }

  /** Keeps the number that the network knows the contact by, where it is another one. */
  async follow({ phone, contact }: IntendedMessage, intent: StoredIntent, { waId }: Acceptance): Promise<void> {
    if (waId === null || contact.by !== 'phone_number' || waId === contact.value) return;
    await this.tryTo('keep the number of a contact', () =>
      rememberWaId(phone.accountId, intent.contactId, waId, this.unitOfWork.writes(phone.accountId)),
    );
  }

  /** A refusal may be about the template, which is then not sent again until the network allows it. */
  async learn({ phone, template }: IntendedMessage, refusal: NetworkRefusal): Promise<void> {
    if (refusal.errorClass !== 'stop_template' || template === null) return;
    await this.tryTo('mark a template', () =>
      this.templates.markUnavailable(phone.accountId, template.id, refusal.code),
    );
  }

  /** The message's own outcome is committed by now and the caller gets it, whatever happens to the rest. */
  private async tryTo(what: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn(`could not ${what}: ${(error as Error).message}`);
    }
  }
}

/** An intent and the claim of its request on an Idempotency-Key, if it has one. */
interface KeyedIntent {
  readonly intent: NewSingleIntent;
  readonly claim: Claim | null;
}

/** Notes for those requests with a key whose message was stored. */
const notesOf = (keyed: readonly KeyedIntent[], stored: readonly SingleIntentRow[]): RecordNote[] => {
  const refused = new Set(stored.filter((row) => row.refused).map(({ id }) => id));
  return keyed.flatMap(({ intent: { id }, claim }) =>
    claim === null || refused.has(id) ? [] : [{ claim, recordId: id }],
  );
};

/** Null for one that was refused. */
function storedIntentOf(id: string, row: SingleIntentRow | undefined): StoredIntent | null {
  if (row === undefined) throw new Error(`message ${id} was not stored`);
  if (row.refused) return null;
  const { contactId, phoneNumber, userId } = row;
  return { id, contactId, contactName: fullName(row.firstName, row.lastName), contact: { phoneNumber, userId } };
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
