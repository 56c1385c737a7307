import { randomFillSync } from 'node:crypto';
import { type AcceptedMessage, fromRow, toRow } from '../messages/accepted-message.js';
import { messageId, readMessageId } from '../people/message-ids.js';
import { AppendLog } from './append-log.js';
import { ControlError } from './control-error.js';

/** A ledger row as `GET /_sim/ledger` shows it. */
export interface LedgerEntry {
  id: string;
  /** The number in the request, digits only. Null for a send by user id. */
  to: string | null;
  /** Only if the network spells the number differently. */
  wa_id?: string;
  /** Only for a send by user id. */
  recipient_user_id?: string;
  phone_number_id: string;
  biz_opaque_callback_data: string | null;
  type: string;
  template_name: string | null;
  at: string;
}

/**
 * Every accepted message in order: independent evidence of what was lost or sent twice. Memory holds only the offset
 * of each row and the set of distinct callback data; rows are read back from the file.
 */
export class Ledger {
  private starts: number[] = [];
  private readonly callbackData = new Set<string>();
  private readonly tokens = new TokenMaker();
  private log: AppendLog;

  /** Opens the ledger and passes each of its messages to `restored`. */
  static open(path: string, restored: (message: AcceptedMessage) => void): Ledger {
    const ledger = new Ledger();
    ledger.log = AppendLog.open(path, (line, start) => {
      const message = fromRow(line, ledger.starts.length);
      ledger.note(message, start);
      restored(message);
    });
    return ledger;
  }

  get total(): number {
    return this.starts.length;
  }

  get distinct(): number {
    return this.callbackData.size;
  }

  /** Adds a message and assigns its sequence and id to it; `written` resolves once it is in the file. */
  add(accepted: Omit<AcceptedMessage, 'sequence' | 'id'>): { message: AcceptedMessage; written: Promise<void> } {
    const sequence = this.starts.length;
    const id = this.newId(sequence, accepted.waId ?? accepted.userId);
    const message = Object.assign(accepted, { sequence, id });
    this.note(message, this.log.size);
    return { message, written: this.log.append(toRow(message)) };
  }

  /** Up to `limit` rows after the message `after`, or from the beginning. */
  page(limit: number, after: string | null): LedgerEntry[] {
    const first = after === null ? 0 : sequenceOf(after) + 1;
    const from = this.starts[Math.max(first - 1, 0)] ?? this.log.size;
    const to = this.starts[first + limit] ?? this.log.size;
    const text = this.log.read(from, to);
    const rows = text
      .split('\n')
      .slice(0, -1)
      .map((line, i) => fromRow(line, i));
    if (after !== null && rows.shift()?.id !== after) throw new ControlError(`after: no message has the id ${after}`);
    return rows.map((row) => ({
      id: row.id,
      to: row.to,
      ...(row.to === null || row.to === row.waId ? {} : { wa_id: row.waId ?? row.to }),
      ...(row.to === null ? { recipient_user_id: row.userId } : {}),
      phone_number_id: row.phoneNumberId,
      biz_opaque_callback_data: row.bizOpaqueCallbackData,
      type: row.type,
      template_name: row.templateName,
      at: new Date(row.at).toISOString(),
    }));
  }

  /** Whether the message is in the ledger, under whichever name of its recipient. */
  has(id: string): boolean {
    return this.find(id) !== null;
  }

  /** The message with this id, under whichever name of its recipient; null if there is none. */
  find(id: string): AcceptedMessage | null {
    const token = readMessageId(id)?.token;
    if (token?.length !== 2 * TOKEN_BYTES) return null;
    const sequence = sequenceOf(id);
    const start = this.starts[sequence];
    if (start === undefined) return null;
    const row = fromRow(this.log.read(start, this.starts[sequence + 1] ?? this.log.size).trimEnd(), sequence);
    return readMessageId(row.id)?.token === token ? row : null;
  }

  reset(): void {
    this.starts = [];
    this.callbackData.clear();
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }

  private newId(sequence: number, peer: string): string {
    return messageId({ peer, isOurs: true, token: this.tokens.next(sequence) });
  }

  private note(message: AcceptedMessage, start: number): void {
    this.starts.push(start);
    if (message.bizOpaqueCallbackData !== null) this.callbackData.add(message.bizOpaqueCallbackData);
  }
}

const NONCE_BYTES = 5;
const TOKEN_BYTES = NONCE_BYTES + 4;
const POOL_BYTES = 1000 * NONCE_BYTES;

const toHex = (number: number): string => number.toString(16).padStart(8, '0').toUpperCase();

/**
 * Makes the tokens of message ids: a nonce, and the message's row masked with it. So an id works as a cursor without an
 * index, and nobody can guess the next one from it.
 */
class TokenMaker {
  /** Random bytes and their digits: one call for many nonces, since one for each message would cost more than the rest. */
  private readonly pool = Buffer.alloc(POOL_BYTES);
  private digits = '';
  private used = POOL_BYTES;

  next(sequence: number): string {
    if (this.used === POOL_BYTES) {
      this.digits = randomFillSync(this.pool).toString('hex').toUpperCase();
      this.used = 0;
    }
    const start = this.used;
    this.used += NONCE_BYTES;
    const masked = (sequence ^ this.pool.readUInt32BE(start)) >>> 0;
    return this.digits.slice(start * 2, this.used * 2) + toHex(masked);
  }
}

function sequenceOf(id: string): number {
  const bytes = Buffer.from(readMessageId(id)?.token ?? '', 'hex');
  if (bytes.length !== TOKEN_BYTES) throw new ControlError(`after: no message has the id ${id}`);
  return (bytes.readUInt32BE(NONCE_BYTES) ^ bytes.readUInt32BE(0)) >>> 0;
}
