import type { Tx } from '../database/unit-of-work.js';
import { conflict } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';
import { noteRecords } from './idempotency.queries.js';
import type { ClaimedKey } from './idempotency-keys.service.js';
import { keyedRequest } from './keyed-request.js';

/** A new record and the claim it belongs to. */
export interface RecordNote {
  readonly claim: ClaimedKey;
  readonly recordId: RecordId;
}

/**
 * Links the record that `tx` creates to the current request's Idempotency-Key. Both commit together: if this process
 * dies, the key is answered from the record. Does nothing without a key.
 *
 * @throws DomainError `conflict` when another request has taken over the key; `tx` must then be rolled back
 */
export async function noteRecordOfKey(recordId: RecordId, tx: Tx): Promise<void> {
  const claim = currentClaim();
  if (claim !== null) await noteRecordsOfKeys([{ claim, recordId }], tx);
}

/** The current request's claim, to pass into a batch that serves several requests. */
export const currentClaim = (): ClaimedKey | null => keyedRequest()?.recordedClaim ?? null;

/** Like {@link noteRecordOfKey}, for a transaction that creates records for several requests. */
export async function noteRecordsOfKeys(notes: readonly RecordNote[], tx: Tx): Promise<void> {
  if (notes.length === 0) return;
  const claims = notes.map(({ claim }) => claim);
  const noted = await noteRecords(
    claims.map(({ accountId }) => accountId),
    claims,
    claims.map(({ owner }) => owner),
    notes.map(({ recordId }) => recordId),
    tx,
  );
  if (noted < notes.length) throw conflict('another request with this Idempotency-Key has taken over; try again');
}
