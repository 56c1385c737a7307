import type { Database } from '../unit-of-work.js';
import type { SecretBox, SecretPlace } from './secret-box.js';
import { UnreadableSecret } from './secret-box.js';

/** An encrypted column in a table of account rows. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The element of an array column, from 1; absent: the column holds one value. */
  readonly element?: number;
  /** The columns, with types, that identify a row within an account. */
  readonly key: readonly (readonly [name: string, type: 'uuid' | 'text' | 'integer'])[];
  /** @param key the values of {@link SealedColumn.key} */
  place(accountId: string, key: readonly string[]): SecretPlace;
}

/** The result of resealing. */
export interface Resealed {
  readonly resealed: number;
  /** Values that changed concurrently and were skipped; they need another look. */
  readonly overtaken: number;
  /** One error per value that could not be decrypted; those values stay as they are. */
  readonly unreadable: readonly UnreadableSecret[];
}

/** Values per statement. */
const BATCH = 500;

/**
 * Re-encrypts all of an account's values in one column with the first key, in batches that commit separately. A value
 * that changes meanwhile is skipped, so other writers are neither blocked nor overwritten.
 */
export async function resealColumn(
  accountId: string,
  sealed: SealedColumn,
  secrets: SecretBox,
  db: Database,
): Promise<Resealed> {
  const unreadable: UnreadableSecret[] = [];
  let [resealed, overtaken] = [0, 0];
  let last: readonly string[] | null = null;
  for (;;) {
    const stale: readonly StaleValue[] = await findStale(accountId, sealed, secrets.prefix, last, db);
    const changes = stale.flatMap(({ key, value }) => {
      try {
        return [{ key, value, fresh: secrets.reseal(value, sealed.place(accountId, key)) }];
      } catch (error) {
        if (!(error instanceof UnreadableSecret)) throw error;
        unreadable.push(error);
        return [];
      }
    });
    const changed = changes.length === 0 ? 0 : await replace(accountId, sealed, changes, db);
    resealed += changed;
    overtaken += changes.length - changed;
    last = stale.at(-1)?.key ?? null;
    if (stale.length < BATCH) return { resealed, overtaken, unreadable };
  }
}

interface StaleValue {
  readonly key: readonly string[];
  readonly value: string;
}

/** SQL of what holds the value of a row. */
export const holderOf = ({ column, element }: SealedColumn): string =>
  element === undefined ? column : `${column}[${element}]`;

/** Values not yet encrypted with the first key, after `last` in row key order. */
async function findStale(
  accountId: string,
  sealed: SealedColumn,
  prefix: string,
  last: readonly string[] | null,
  db: Database,
): Promise<StaleValue[]> {
  const { table, key } = sealed;
  const holder = holderOf(sealed);
  const names = key.map(([name]) => name).join(', ');
  const after = last === null ? '' : `AND (${names}) > (${last.map((_, index) => `$${index + 4}`).join(', ')})`;
  return db.rows<StaleValue>(
    `SELECT ARRAY[${key.map(([name]) => `${name}::text`).join(', ')}] AS key, ${holder} AS value FROM ${table}
     WHERE account_id = $1 AND ${holder} IS NOT NULL AND NOT starts_with(${holder}, $2) ${after}
     ORDER BY ${names} LIMIT $3`,
    [accountId, prefix, BATCH, ...(last ?? [])],
  );
}

/** @returns the number of values replaced; those that have changed meanwhile are skipped */
function replace(
  accountId: string,
  sealed: SealedColumn,
  changes: readonly (StaleValue & { readonly fresh: string })[],
  db: Database,
): Promise<number> {
  const { table, key } = sealed;
  const holder = holderOf(sealed);
  const arrays = key.map(([, type], index) => `$${index + 4}::${type}[]`).join(', ');
  const names = key.map(([name]) => name);
  return db.affected(
    `UPDATE ${table} t SET ${holder} = n.fresh
     FROM unnest($2::text[], $3::text[], ${arrays}) AS n (stale, fresh, ${names.join(', ')})
     WHERE t.account_id = $1 AND t.${holder} = n.stale AND ${names.map((name) => `t.${name} = n.${name}`).join(' AND ')}`,
    [
      accountId,
      changes.map(({ value }) => value),
      changes.map(({ fresh }) => fresh),
      ...names.map((_, index) => changes.map((change) => change.key[index])),
    ],
  );
}
