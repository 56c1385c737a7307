import { randomBytes } from 'node:crypto';
import { type AcceptedMessage, fromRow, toRow } from '../messages/accepted-message.js';
import { AppendLog } from './append-log.js';
import { ControlError } from './control-error.js';

/** A ledger row as `GET /_sim/ledger` shows it. */
export interface LedgerEntry {
  id: string;
  /** Null for a send by user id. */
  to: string | null;
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
  private idBytes = randomBytes(ID_BYTES);
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

  /** Adds a message and assigns its sequence and id; `written` resolves once it is in the file. */
  add(accepted: Omit<AcceptedMessage, 'sequence' | 'id'>): { message: AcceptedMessage; written: Promise<void> } {
    const sequence = this.starts.length;
    const message = { ...accepted, sequence, id: this.newId(sequence) };
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
      ...(row.to === null ? { recipient_user_id: row.userId } : {}),
      phone_number_id: row.phoneNumberId,
      biz_opaque_callback_data: row.bizOpaqueCallbackData,
      type: row.type,
      template_name: row.templateName,
      at: new Date(row.at).toISOString(),
    }));
  }

  reset(): void {
    this.starts = [];
    this.idBytes = randomBytes(ID_BYTES);
    this.callbackData.clear();
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }

  /** The id encodes its row, so it works as a cursor without an index. The nonce changes with each reset. */
  private newId(sequence: number): string {
    this.idBytes.writeUInt32BE(sequence, NONCE_BYTES);
    return ID_PREFIX + this.idBytes.toString('base64url');
  }

  private note(message: AcceptedMessage, start: number): void {
    this.starts.push(start);
    if (message.bizOpaqueCallbackData !== null) this.callbackData.add(message.bizOpaqueCallbackData);
  }
}

const NONCE_BYTES = 11;
const ID_BYTES = NONCE_BYTES + 4;
const ID_PREFIX = 'wamid.HBgL';

function sequenceOf(id: string): number {
  const bytes = Buffer.from(id.slice(ID_PREFIX.length), 'base64url');
  if (!id.startsWith(ID_PREFIX) || bytes.length !== ID_BYTES)
    throw new ControlError(`after: no message has the id ${id}`);
  return bytes.readUInt32BE(NONCE_BYTES);
}
