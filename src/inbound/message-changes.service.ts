import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { BusinessPhone } from '../accounts/business-phones.service.js';
import { replacePreview } from '../conversations/conversation-key.queries.js';
import type { Tx } from '../database/unit-of-work.js';
import { InboundListener } from '../hooks/inbound-listener.js';
import { notify } from '../hooks/notify.js';
import { MessageMedia } from '../media/message-media.js';
import { MessageEditedEvent, MessageRevokedEvent } from '../messages/history/message-change.events.js';
import { MessageHistoryService } from '../messages/history/message-history.service.js';
import { MessageRecord } from '../messages/history/message-record.js';
import { ANY_PREVIEW, editedPayload, PREVIEWS, part, REVOKED_PREVIEW, readMessage } from '../messages/inbound-kinds.js';
import type { Message } from '../messages/message.entity.js';
import { storedPayload } from '../messages/storable-payload.js';
import { domainEvent } from '../outbox/event.js';
import { Outbox } from '../outbox/outbox.js';
import { recordUnhandled } from '../reports/unhandled-callback.queries.js';
import { now } from '../values/clock.js';
import { isObject, type JsonObject, text } from '../values/network-json.js';
import { readNetworkMessageId } from '../values/network-message-id.js';
import type { RecordId } from '../values/record-id.js';
import { type InboundMessage, timeOf } from './inbound-message.js';
import {
  type ChangedMessage,
  type ChangingMessage,
  dropWaitingChanges,
  findReactions,
  findWaitingChanges,
  lockMessage,
  lockName,
  noteChange,
  saveChange,
} from './message-change.queries.js';
import { findNamedMessage } from './named-message.queries.js';

/** An edit, a revocation, or a reaction that is taken back. */
export type MessageChange = Pick<InboundMessage, 'networkMessageId' | 'at' | 'read' | 'raw'>;

/** What became of a change. */
export interface AppliedChange {
  /** The message that it names; null while it is unknown. */
  readonly messageId: RecordId | null;
  /** False for one that was delivered before. */
  readonly isNew: boolean;
}

/** Whose message changes. */
export interface ChangePlace {
  readonly phone: BusinessPhone;
  /** The contact who wrote it, or to whom it was sent; null if there is none. */
  readonly contactId: RecordId | null;
  /** `out`: a message that the business sent with the phone app; its changes are told to nobody. */
  readonly direction: Message['direction'];
}

/** A message that may have been changed before it arrived. */
interface ArrivedMessage {
  readonly id: RecordId;
  readonly message: MessageChange;
}

/** A removed reaction that was found is kept for reactions that arrive after it; then it is marked as found. */
interface WaitingBody {
  readonly message?: JsonObject;
  readonly found?: boolean;
}

/** A hash of what names a message, or a reaction to it, in any form of the network's id. */
const keyOf = (kind: 'message' | 'reaction', networkMessageId: string): string =>
  createHash('sha256')
    .update(`${kind}:${readNetworkMessageId(networkMessageId)?.token ?? networkMessageId}`)
    .digest('hex');

/** What a change waits for; null when it names no message. */
function waitsFor({ role, names }: MessageChange['read']): string | null {
  return names === null ? null : keyOf(role === 'unreact' ? 'reaction' : 'message', names);
}

/** Hashes of what names a message: what changes wait for that come before it. */
export function keysOf({ networkMessageId, read }: Pick<MessageChange, 'networkMessageId' | 'read'>): string[] {
  const reactsTo = read.contents.reaction?.names ?? null;
  return [keyOf('message', networkMessageId), ...(reactsTo === null ? [] : [keyOf('reaction', reactsTo)])];
}

/**
 * Applies edits and revocations to the messages that they name, and does nothing else. Each counts once, whatever their
 * order: the latest edit stays, and nothing changes a message that was revoked. One that comes before its message waits
 * for it. The caller has locked the contact, so no message of the contact is stored meanwhile.
 */
@Injectable()
export class MessageChangesService {
  constructor(
    private readonly history: MessageHistoryService,
    private readonly media: MessageMedia,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Holds back the message that a change names until `tx` ends, if it is about to be stored. Call it before the contact is
   * looked for.
   */
  async lock(accountId: string, { read }: MessageChange, tx: Tx): Promise<void> {
    const name = waitsFor(read);
    if (name !== null) await lockName(accountId, name, tx);
  }

  /** Applies a change, or has it wait for its message. The caller holds its {@link lock}. */
  async apply(place: ChangePlace, change: MessageChange, body: JsonObject, tx: Tx): Promise<AppliedChange> {
    const { accountId } = place.phone;
    const { role, names } = change.read;
    const name = waitsFor(change.read);
    const unhandled = { accountId, field: 'messages', body };
    if (names === null || name === null) {
      await recordUnhandled([{ ...unhandled, reason: 'names no message' }], tx);
      return { messageId: null, isNew: true };
    }
    const waiting = await findWaitingChanges(accountId, [name], tx);
    if (waiting.some(({ body: kept }) => text(part(kept, 'message')['id']) === change.networkMessageId)) {
      return { messageId: null, isNew: false };
    }
    if (role === 'unreact') {
      const { messageId, isNew } = await this.takeBack(place, change, names, tx);
      const reason = messageId === null ? 'takes back a reaction that has not arrived' : 'took a reaction back';
      const kept = { ...unhandled, reason, waitsFor: name };
      await recordUnhandled([{ ...kept, body: { ...body, found: messageId !== null } }], tx);
      return { messageId, isNew };
    }
    const { contactId, phone, direction } = place;
    const named =
      contactId === null
        ? null
        : await findNamedMessage(
            accountId,
            names,
            { contactId, businessPhoneId: phone.id, direction, at: change.at },
            tx,
          );
    if (named === null) {
      const reason = 'changes a message that has not arrived';
      await recordUnhandled([{ ...unhandled, reason, waitsFor: name }], tx);
      return { messageId: null, isNew: true };
    }
    return { messageId: named.id, isNew: await this.change(place, named.id, change, tx) };
  }

  /** Applies what has waited for a message, which has just been stored. */
  async applyWaiting(place: ChangePlace, { id, message }: ArrivedMessage, tx: Tx): Promise<void> {
    const { accountId } = place.phone;
    const done: RecordId[] = [];
    for (const waiting of await findWaitingChanges(accountId, keysOf(message), tx)) {
      const body: WaitingBody = isObject(waiting.body) ? waiting.body : {};
      if (body.message === undefined) continue;
      const change = changeOf(body.message);
      const isTooEarly =
        message.at > change.at || (body.found === true && message.at.getTime() === change.at.getTime());
      if (change.read.role === 'unreact' && isTooEarly) continue;
      await this.change(place, id, change, tx);
      if (change.read.role !== 'unreact') done.push(waiting.id);
    }
    await dropWaitingChanges(accountId, done, tx);
  }

  /** Revokes the reactions of the person to a message. @returns the latest of them */
  private async takeBack(place: ChangePlace, change: MessageChange, names: string, tx: Tx): Promise<AppliedChange> {
    const { contactId, phone, direction } = place;
    if (contactId === null) return { messageId: null, isNew: true };
    const { networkMessageId: changeId, at } = change;
    const all = await findReactions(phone.accountId, contactId, phone.id, { direction, at, changeId }, tx);
    const applied = all.find(({ isApplied }) => isApplied);
    if (applied !== undefined) return { messageId: applied.id, isNew: false };
    const wanted = keyOf('reaction', names);
    const taken = all.filter(({ payload, createdAt, revokedAt }) => {
      const target = text(part(payload, 'reaction')['message_id']);
      return revokedAt === null && createdAt <= at && target !== null && keyOf('reaction', target) === wanted;
    });
    for (const { id } of taken) await this.change(place, id, change, tx);
    return { messageId: taken.at(-1)?.id ?? null, isNew: true };
  }

  /** @returns whether the change is a new one, also if it has no effect */
  private async change(place: ChangePlace, id: RecordId, change: MessageChange, tx: Tx): Promise<boolean> {
    const { phone, contactId, direction } = place;
    const { accountId } = phone;
    const message = await lockMessage(accountId, id, change.networkMessageId, tx);
    if (message === null || message.isApplied || contactId === null) return false;
    const changed = change.read.role === 'edit' ? edited(message, change) : revoked(message, change);
    if (message.revokedAt !== null || changed === null) {
      await noteChange(accountId, id, change.networkMessageId, tx);
      return true;
    }
    const before = direction === 'in' ? await this.history.find(accountId, id, tx) : null;
    await saveChange(accountId, id, changed, change.networkMessageId, tx);
    const key = { contactId, businessPhoneId: message.businessPhoneId };
    await replacePreview(
      accountId,
      key,
      { at: message.createdAt, from: previewsOf(message), to: previewOf(changed) },
      tx,
    );
    if (changed.revokedAt !== null) await this.media.discard(accountId, [id], tx);
    if (direction === 'out') return true;
    const facts = { messageId: id, ...key, messageType: changed.messageType, at: change.at };
    if (changed.revokedAt === null)
      notify(InboundListener, 'onEdit', accountId, { ...facts, content: changed.content }, tx);
    else notify(InboundListener, 'onRevoke', accountId, facts, tx);
    const after = await this.history.find(accountId, id, tx);
    if (before === null || after === null) return true;
    const [was, is] = [MessageRecord.from(before), MessageRecord.from(after)];
    const at = now();
    const Event = changed.revokedAt === null ? MessageEditedEvent : MessageRevokedEvent;
    await this.outbox.write([domainEvent({ accountId, contactId }, new Event(was, is, at), at)], tx);
    return true;
  }
}

/** Reads a change that has waited. */
function changeOf(message: JsonObject): MessageChange {
  return {
    networkMessageId: text(message['id']) ?? '',
    at: timeOf(message, now()),
    read: readMessage(message),
    raw: message,
  };
}

function edited(message: ChangingMessage, { at, raw }: MessageChange): ChangedMessage | null {
  if (message.editedAt !== null && message.editedAt > at) return null;
  const payload = editedPayload(isObject(message.payload) ? message.payload : {}, storedPayload(raw));
  if (payload === null) return null;
  const { messageType, content } = readMessage(payload);
  return { messageType, content, payload, editedAt: at, revokedAt: null };
}

const revoked = ({ messageType, editedAt }: ChangingMessage, { at }: MessageChange): ChangedMessage => ({
  messageType,
  content: '',
  payload: null,
  editedAt,
  revokedAt: at,
});

const previewOf = ({ payload, revokedAt }: Pick<ChangedMessage, 'payload' | 'revokedAt'>): string =>
  revokedAt !== null || !isObject(payload) ? REVOKED_PREVIEW : readMessage(payload).preview;

/** What a conversation may show of a message. Older releases showed its content. */
const previewsOf = ({ payload, content, messageType }: ChangingMessage): string[] =>
  isObject(payload) ? [readMessage(payload).preview, content] : [content || (PREVIEWS[messageType] ?? ANY_PREVIEW)];
