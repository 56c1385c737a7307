import { v7 } from 'uuid';

/** Identifier of a record: a lower-case UUIDv7 string, so that ids sort by creation time (D1). */
export type RecordId = string;

const RECORD_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Makes a new record id; ids made later by the same process are greater. */
export const newRecordId = (): RecordId => v7();

/** Whether `value` is a well-formed record id. Anything else in a path is a 400 (D1). */
export const isRecordId = (value: unknown): value is RecordId => typeof value === 'string' && RECORD_ID.test(value);
