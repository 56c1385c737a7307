import { randomFillSync, randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import { DAY, nowMs, SECOND } from './clock.js';

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

/** Random bytes are drawn for many ids at once: one call costs as much as several ids. */
const pool = new Uint8Array(4096);
const ID_BYTES = 16;
let drawn = pool.length;

function randomBytes(): Uint8Array {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  drawn += ID_BYTES;
  return pool.subarray(drawn - ID_BYTES, drawn);
}

/** Makes a new record id. Ids of one process ascend, unless the clock was set back by more than 5 s in between. */
export function newRecordId(): RecordId {
  const at = nowMs();
  if (at > latest || at < latest - MAX_SETBACK_MS) {
    latest = at;
    sequence = randomInt(2 ** 31);
  } else {
    sequence += 1;
  }
  return v7({ msecs: latest, seq: sequence, random: randomBytes() });
}

/** Ids dated in the past are never older than this, milliseconds: older rows may be expiring. */
const MAX_AGE_MS = 7 * DAY;
/** Ids dated in the past come after all others of their millisecond, whose sequences begin in the lower half. */
const UPPER_HALF = 2 ** 31;
/** Half milliseconds since 1970 of the latest arrival for which an id was dated in the past. */
let latestArrival = 0;

/**
 * Makes the id of a record that came from elsewhere with a time in whole seconds, so that records sort by that time, and
 * within one second by their arrival.
 *
 * @param at never in the future. One older than seven days is taken for seven days old
 */
export function recordIdAt(at: Date): RecordId {
  const now = nowMs();
  const secondEnd = Math.floor(at.getTime() / SECOND) * SECOND + SECOND - 1;
  if (secondEnd >= now) return newRecordId();
  const msecs = Math.max(secondEnd, now - MAX_AGE_MS);
  latestArrival = Math.max(2 * now, latestArrival + 1);
  return v7({ msecs, seq: UPPER_HALF + Math.min(latestArrival - 2 * msecs, UPPER_HALF - 1), random: randomBytes() });
}

/**
 * Makes the id of a record that tells of something at `at`, to the millisecond: it comes after whatever else that
 * millisecond has.
 */
export const recordIdOf = (at: Date): RecordId =>
  v7({ msecs: at.getTime(), seq: UPPER_HALF + randomInt(UPPER_HALF - 1), random: randomBytes() });

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
