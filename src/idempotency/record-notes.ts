import type { Tx } from '../database/unit-of-work.js';
import { conflict } from '../errors/domain-error.js';
import type { RecordId } from '../values/record-id.js';
import { noteRecords } from './idempotency.queries.js';
import type { Claim } from './idempotency-keys.service.js';
import { keyedRequest } from './keyed-request.js';

/** A record and the claim under which it is made. */
export interface RecordNote {
  readonly claim: Claim;
  readonly recordId: RecordId;
}

/**
 * Ties the record that `tx` makes to the Idempotency-Key of the request under way, so that both commit together: should
 * this process die, the key is answered from the record. Without a key it does nothing.
 *
 * @throws DomainError `conflict` when another request has taken the key over; then nothing of `tx` may stay
 */
export async function noteRecordOfKey(recordId: RecordId, tx: Tx): Promise<void> {
  const claim = claimUnderWay();
  if (claim !== null) await noteRecordsOfKeys([{ claim, recordId }], tx);
}

/** The claim of the request under way, to be taken along into a batch, which works for several requests at once. */
export const claimUnderWay = (): Claim | null => keyedRequest()?.recordedClaim ?? null;

/** As {@link noteRecordOfKey}, for a transaction that makes records for several requests. */
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
  if (noted < notes.length) throw conflict('another request with this Idempotency-Key has taken over');
}
