import { Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../../accounts/business-phones.service.js';
import { findOpenWindows } from '../../conversations/conversation-key.queries.js';
import { MicroBatch, NotStarted } from '../../database/batching/micro-batch.js';
import { isContention, isTransient } from '../../database/connections/transient-errors.js';
import { type Database, Pipeline, type Tx } from '../../database/unit-of-work.js';
import { DomainError } from '../../errors/domain-error.js';
import type { ClaimedKey } from '../../idempotency/idempotency-keys.service.js';
import { currentClaim, noteRecordsOfKeys, type RecordNote } from '../../idempotency/record-notes.js';
import { type SentParts, sentPayload } from '../../messages/sent-parts.js';
import { identityOf } from '../../people/contact-identity.queries.js';
import { fullName } from '../../people/contact-name.js';
import { byNumber, type ContactIdentity, type ContactRef, identityOfRef } from '../../people/contact-ref.js';
import { ContactMerged, unmadeContact } from '../../people/ensured-contacts.queries.js';
import type { TemplateCategory } from '../../templates/template.js';
import { now } from '../../values/clock.js';
import type { PhoneNumber } from '../../values/phone-number.js';
import { newRecordId, type RecordId } from '../../values/record-id.js';
import { isClosedToMarketing, marketingClosed } from '../closed-markets.js';
import { SendLedger } from '../ledger/send-ledger.js';
import type { MessageExtras } from './send-extras.service.js';
import {
  isOptedOut,
  kindsOf,
  type NewSingleIntent,
  type SingleIntentRow,
  storeForKnownContacts,
  storeSingleIntents,
} from './single-intent.queries.js';

/** A message to be sent. */
export interface IntendedMessage {
  readonly phone: BusinessPhone;
  /** As the caller named it. */
  readonly contact: ContactRef;
  readonly contactName: string | null;
  readonly messageType: string;
  /** The text shown in conversations. */
  readonly content: string;
  readonly template: SentTemplate | null;
  /** What its record shows besides the text. */
  readonly parts: SentParts;
  /** What it quotes or reacts to, who wrote it, and what the caller calls it. */
  readonly extras: MessageExtras;
  /** The network's request body, without the recipient and our id. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The uploaded files that the body names. */
  readonly fileIds?: readonly RecordId[];
}

/** The template of a message. */
export interface SentTemplate {
  readonly id: string;
  readonly name: string;
  readonly category: TemplateCategory;
  /** The one-time code in the message, never to be stored or logged; null for none. */
  readonly code: string | null;
}

/** A committed intent to send a message. */
export interface StoredIntent {
  readonly id: string;
  readonly contactId: string;
  readonly contactName: string;
  /** The contact's number and user id, however the caller named it. */
  readonly contact: ContactIdentity;
  /** Whom the request to the network names: by user id as the caller did, else by the network's spelling of the number. */
  readonly recipient: ContactRef;
  /** The number by which the network knows the contact, if it differs from ours. */
  readonly waId: PhoneNumber | null;
}

const BATCH = { maxItems: 100, concurrency: 2, besideAfterMs: 25 };
/** Attempts to store a message whose contact is being merged. */
const MAX_TRIES = 5;

/** Commits single messages before they are sent. */
@Injectable()
export class SingleIntentsService {
  private readonly known = new MicroBatch<NewSingleIntent, IntentResult | undefined>(
    (intents) => this.storeKnown(intents),
    { ...BATCH, name: 'sends', tenantOf: ({ accountId }) => accountId },
  );
  private readonly all = new MicroBatch<KeyedIntent, IntentResult>((keyed) => this.storeAll(keyed), {
    ...BATCH,
    name: 'sends-in-full',
    tenantOf: ({ intent }) => intent.accountId,
  });

  constructor(
    private readonly pipeline: Pipeline,
    private readonly ledger: SendLedger,
  ) {}

  /**
   * Commits contact, conversation and a `pending` message together. Sends that arrive at the same time share the
   * commit.
   *
   * @throws DomainError `contact_opted_out` for a MARKETING template to a contact that opted out, `marketing_closed` for one
   * to a number of the United States, 503 `unavailable` when the contact is new and nobody can tell whether its person has
   * opted out; no message is stored
   * @throws the database's error: the message is not sent, and fails if it was stored after all
   */
  async store(message: IntendedMessage): Promise<StoredIntent> {
    const intent = intentOf(message);
    const claim = currentClaim();
    if (intent.marketing && (await this.isClosed(intent))) throw await this.refusalOf(intent);
    for (let tries = 1; ; tries += 1) {
      try {
        const stored = await this.storeOnce(intent, claim);
        if (stored !== 'opted_out') return stored;
      } catch (error) {
        if (tries === MAX_TRIES || !(error instanceof ContactMerged)) throw error;
        continue;
      }
      throw optedOutOf(intent);
    }
  }

  /** The number of a person that the caller names by user id may be known. */
  private async isClosed({ accountId, contact }: NewSingleIntent): Promise<boolean> {
    const isNumber = contact.by === 'phone_number';
    return isClosedToMarketing(
      isNumber ? identityOfRef(contact) : await identityOf(accountId, contact, this.pipeline.autocommit),
    );
  }

  /** Why a person whom the network sends no marketing does not get it: an opt-out comes first, as in campaigns. */
  private async refusalOf(intent: NewSingleIntent): Promise<DomainError> {
    const { accountId, contact } = intent;
    const hasOptedOut = await isOptedOut(accountId, contact, this.pipeline.autocommit);
    return hasOptedOut ? optedOutOf(intent) : marketingClosed(contact.value);
  }

  private async storeOnce(intent: NewSingleIntent, claim: ClaimedKey | null): Promise<StoredIntent | 'opted_out'> {
    try {
      const toKnown = claim === null ? await this.known.run(intent) : undefined;
      const stored = toKnown === undefined ? await this.all.run({ intent, claim }) : toKnown;
      if (stored === 'no_contact') throw unmadeContact(this.pipeline.autocommit);
      return stored;
    } catch (error) {
      if (isTransient(error) && !isContention(error) && !(error instanceof NotStarted))
        void this.ledger.markUnsent(intent.accountId, intent.id);
      throw error;
    }
  }

  /**
   * Stores contact, conversation and a `pending` message of a rule in the caller's transaction: whoever waits goes on
   * waiting. Not for marketing templates. If the process dies before sending, the message fails at the horizon.
   */
  async storeWithin(message: IntendedMessage, tx: Tx): Promise<StoredIntent> {
    const at = now();
    const intent = intentOf(message);
    const rows = await storeSingleIntents([intent], at, this.ledger.horizonAfter(at), tx, 'rule');
    const stored = resultOf(rows[0], intent);
    if (typeof stored === 'string') throw new Error(`message ${intent.id} was not stored: ${stored}`);
    return stored;
  }

  /** Whether the contact of a stored message has an open service window with the phone. */
  async isWindowOpen({ accountId, id }: BusinessPhone, { contactId }: StoredIntent): Promise<boolean> {
    return (await findOpenWindows(accountId, id, [contactId], this.pipeline.autocommit)).has(contactId);
  }

  /** Returns undefined for messages whose contact is new, deleted or about to get a name. */
  private async storeKnown(intents: readonly NewSingleIntent[]): Promise<(IntentResult | undefined)[]> {
    const at = now();
    const rows = await this.inOneCommit(intents, (tx) =>
      storeForKnownContacts(intents, at, this.ledger.horizonAfter(at), tx),
    );
    const rowOf = new Map<string, SingleIntentRow>();
    for (const row of rows) rowOf.set(row.id, row);
    const results: (IntentResult | undefined)[] = [];
    for (const intent of intents) {
      const row = rowOf.get(intent.id);
      results.push(row && resultOf(row, intent));
    }
    return results;
  }

  private async storeAll(keyed: readonly KeyedIntent[]): Promise<IntentResult[]> {
    const at = now();
    const settleAfter = this.ledger.horizonAfter(at);
    const intents = keyed.map(({ intent }) => intent);
    const rows = keyed.every(({ claim }) => claim === null)
      ? await this.inOneCommit(intents, (tx) => storeSingleIntents(intents, at, settleAfter, tx))
      : await this.inTransaction(async (tx) => {
          const stored = await storeSingleIntents(intents, at, settleAfter, tx);
          await noteRecordsOfKeys(notesOf(keyed, stored), tx);
          return stored;
        });
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    return intents.map((intent) => resultOf(rowOf.get(intent.id), intent));
  }

  /** A single statement needs no transaction. */
  private inOneCommit<T>(intents: readonly NewSingleIntent[], store: (db: Database) => Promise<T>): Promise<T> {
    return kindsOf(intents).length > 1 ? this.inTransaction(store) : store(this.pipeline.autocommit);
  }

  private inTransaction<T>(store: (tx: Tx) => Promise<T>): Promise<T> {
    return this.pipeline.transaction(store);
  }
}

/** An intent, and its request's claim on an Idempotency-Key, if it has one. */
interface KeyedIntent {
  readonly intent: NewSingleIntent;
  readonly claim: ClaimedKey | null;
}

/** Notes for the requests with a key whose message was stored. */
const notesOf = (keyed: readonly KeyedIntent[], stored: readonly SingleIntentRow[]): RecordNote[] => {
  const pending = new Set(stored.filter((row) => !row.refused).map(({ id }) => id));
  return keyed.flatMap(({ intent: { id }, claim }) =>
    claim !== null && pending.has(id) ? [{ claim, recordId: id }] : [],
  );
};

/** A stored message, or why none was stored: its contact opted out, or could not be created. */
type IntentResult = StoredIntent | 'opted_out' | 'no_contact';

function resultOf(row: SingleIntentRow | undefined, { contact: named }: NewSingleIntent): IntentResult {
  if (row === undefined) return 'no_contact';
  if (row.refused) return 'opted_out';
  const { id, contactId, phoneNumber, waId, userId } = row;
  const number = waId ?? phoneNumber;
  const recipient = named.by === 'user_id' || number === null ? named : byNumber(number);
  return { id, contactId, contactName: fullName(row), contact: { phoneNumber, userId }, recipient, waId };
}

const optedOutOf = ({ contact }: NewSingleIntent): DomainError =>
  new DomainError(
    'contact_opted_out',
    `contact ${contact.value} has opted out and does not receive marketing templates`,
  );

const intentOf = (message: IntendedMessage): NewSingleIntent => ({
  accountId: message.phone.accountId,
  id: newRecordId(),
  contact: message.contact,
  contactName: message.contactName,
  businessPhoneId: message.phone.id,
  messageType: message.messageType,
  content: message.content,
  templateName: message.template?.name ?? null,
  payload: sentPayload(message.parts),
  ...message.extras,
  marketing: message.template?.category === 'MARKETING',
});
