import type { SealedColumn } from '../../src/database/secrets/sealed-column.js';
import type { World } from '../support/world.js';

/** The id of a key that no process of the tests has. */
export const MISSING_KEY = 'k0';
/** The id of the only key of the tests. */
const KEY = 'k1';

/**
 * Makes a row's encrypted value name a key that is not configured, as if it had been sealed under it, or undoes that.
 *
 * @param where an SQL condition for the row
 * @returns the number of values changed
 */
export async function seal(
  world: World,
  { table, column }: Pick<SealedColumn, 'table' | 'column'>,
  where: string,
  under: 'missing key' | 'known key',
): Promise<number> {
  const [from, to] = under === 'missing key' ? [KEY, MISSING_KEY] : [MISSING_KEY, KEY];
  return world.unitOfWork.autocommit.affected(
    `UPDATE ${table} SET ${column} = replace(${column}, $1, $2) WHERE starts_with(${column}, $1) AND ${where}`,
    [`v1.${from}.`, `v1.${to}.`],
  );
}

/** How often this process could not decrypt a value of each column. */
export async function unreadableCounts(world: World): Promise<Record<string, number>> {
  const text = await (await fetch(`${world.parley.operationsUrl}/metrics`)).text();
  const lines = text.matchAll(/^parley_unreadable_secrets_total\{column="([^"]+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, column = '', count]) => [column, Number(count)]));
}
