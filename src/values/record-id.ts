import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { now, SECOND } from './clock.js';

/** A lower-case UUIDv7 string; record ids sort by creation time. */
export type RecordId = string;

/** Sorts before every id, and is the id of nothing. */
export const NIL_ID: RecordId = '00000000-0000-0000-0000-000000000000';

const RECORD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Orders the ids of one millisecond. Starts in the lower half of its range, so that it does not run out. */
let sequence = 0;
/** The time in the latest id, milliseconds since 1970. */
let latest = 0;
/**
 * When the clock is set back by up to this much, ids keep ascending; beyond it, the earlier time was wrong.
 * Milliseconds.
 */
const MAX_SETBACK_MS = 5 * SECOND;

/** Makes a new record id. Ids of one process ascend, unless the clock was set back by more than 5 s in between. */
export function newRecordId(): RecordId {
  const at = now().getTime();
  if (at > latest || at < latest - MAX_SETBACK_MS) {
    latest = at;
    sequence = randomInt(2 ** 31);
  } else {
    sequence += 1;
  }
  return v7({ msecs: latest, seq: sequence });
}

/** Whether `value` is a well-formed record id. Anything else in a path is a 400. */
export const isRecordId = (value: unknown): value is RecordId => typeof value === 'string' && RECORD_ID.test(value);

/** When a record was created, to the millisecond, according to its id. */
export const timeOfRecordId = (id: RecordId): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/**
 * The lowest and highest of some ids: with this range in a statement, PostgreSQL reads only the partitions that hold
 * them.
 */
export function idRange(ids: readonly RecordId[]): [lowest: RecordId | null, highest: RecordId | null] {
  let [lowest, highest] = [ids[0] ?? null, ids[0] ?? null];
  for (const id of ids) {
    if (lowest !== null && id < lowest) lowest = id;
    if (highest !== null && id > highest) highest = id;
  }
  return [lowest, highest];
}
