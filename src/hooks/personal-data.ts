import { type Database, TransactionTx, type Tx } from '../database/unit-of-work.js';
import { mapInSlices } from '../runtime/slices.js';
import type { RecordId } from '../values/record-id.js';
import { hooksOf } from './hooks.js';
import { recordDebts } from './personal-data-debt.queries.js';
import type { PersonalDataSource } from './personal-data-source.js';

// What happens to a person happens in all rooms. A source that fails is asked again later, so each change records in
// its own transaction what a source still owes.

/** Erases contacts in all sources, now. */
export async function eraseFromSources(accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<void> {
  for (const source of sourceNames(tx)) {
    const isDone = await eraseFrom(source, accountId, contactIds, tx);
    if (!isDone) await recordDebts(accountId, contactIds, source, tx);
  }
}

/** Erases contacts in all sources when all else in the transaction is done. */
export const eraseFromSourcesAtEnd = (accountId: string, contactIds: readonly RecordId[], tx: Tx): Promise<void> =>
  atEnd(tx, () => eraseFromSources(accountId, contactIds, tx));

/** Moves what all sources hold about one contact to another when all else in the transaction is done. */
export const mergeInSourcesAtEnd = (accountId: string, keptId: RecordId, goneId: RecordId, tx: Tx): Promise<void> =>
  atEnd(tx, async () => {
    for (const source of sourceNames(tx)) {
      const isDone = await mergeIn(source, accountId, keptId, goneId, tx);
      if (!isDone) await recordDebts(accountId, [goneId], source, tx);
    }
  });

/** @returns whether the source has erased the contacts */
export const eraseFrom = async (
  name: string,
  accountId: string,
  contactIds: readonly RecordId[],
  tx: Tx,
): Promise<boolean> =>
  (await ask(name, 'erase', accountId, tx, (source, own) => source.erase(accountId, contactIds, own))) !== null;

/** @returns whether the source has merged the contacts */
export const mergeIn = async (
  name: string,
  accountId: string,
  keptId: RecordId,
  goneId: RecordId,
  tx: Tx,
): Promise<boolean> =>
  (await ask(name, 'merge', accountId, tx, (source, own) => source.merge(accountId, keptId, goneId, own))) !== null;

/** @returns the rows that the source has about a person's contacts, as JSON; null when it failed */
export const exportFrom = async (
  name: string,
  accountId: string,
  contactIds: readonly RecordId[],
  tx: Tx,
): Promise<readonly string[] | null> => {
  const exported = await ask(name, 'export', accountId, tx, async (source, own) =>
    mapInSlices(await source.export(accountId, contactIds, own), (row) => JSON.stringify(row)),
  );
  return exported?.result ?? null;
};

async function ask<T>(
  name: string,
  method: 'export' | 'erase' | 'merge',
  accountId: string,
  tx: Tx,
  work: (source: PersonalDataSource, hookTx: Tx) => Promise<T>,
): Promise<{ readonly result: T } | null> {
  const hooks = hooksOf(tx);
  const hook = hooks?.sources.get(name);
  // A hook cannot run hooks; and a source may be gone while its tables are not.
  if (!(tx instanceof TransactionTx) || hooks === null || hook === undefined) return null;
  return hooks.run({ accountId, hook, method }, (hookTx) => work(hook, hookTx), tx);
}

/** The names of the rooms that are sources of personal data. */
export const sourceNames = (db: Database): Iterable<string> => hooksOf(db)?.sources.keys() ?? [];

async function atEnd(tx: Tx, work: () => Promise<void>): Promise<void> {
  if (tx instanceof TransactionTx) tx.atEnd(work);
  else await work();
}
