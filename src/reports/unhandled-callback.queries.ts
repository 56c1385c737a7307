import type { Database } from '../database/unit-of-work.js';
import { newRecordId } from '../values/record-id.js';
import type { UnhandledCallback } from './unhandled-callback.entity.js';

/** A callback, or part of one, to record as unhandled. */
export type NewUnhandledCallback = Readonly<
  Pick<UnhandledCallback, 'accountId' | 'field' | 'reason' | 'body'> & Partial<Pick<UnhandledCallback, 'waitsFor'>>
>;

/**
 * Records callbacks that could not be used, so that nothing the network sent is lost. Bodies are `json`, not `jsonb`,
 * which would reject escapes such as `\u0000`.
 */
export async function recordUnhandled(callbacks: readonly NewUnhandledCallback[], db: Database): Promise<void> {
  if (callbacks.length === 0) return;
  await db.affected(
    `INSERT INTO unhandled_callbacks (id, account_id, field, reason, body, waits_for)
     SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::json[], $6::text[])`,
    [
      callbacks.map(() => newRecordId()),
      callbacks.map(({ accountId }) => accountId),
      callbacks.map(({ field }) => field),
      callbacks.map(({ reason }) => reason),
      callbacks.map(({ body }) => JSON.stringify(isTooDeep(body) ? TOO_DEEP : (body ?? null))),
      callbacks.map(({ waitsFor }) => waitsFor ?? null),
    ],
  );
}

/** Levels of nested objects and arrays that PostgreSQL's JSON parser reliably accepts. */
const MAX_DEPTH = 500;
const TOO_DEEP = `left out: nested more than ${MAX_DEPTH} levels deep`;

/** Walks the body level by level, so that deep nesting cannot exhaust the stack. */
function isTooDeep(body: unknown): boolean {
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
  }
  return false;
}
