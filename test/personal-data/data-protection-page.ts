import { readFileSync } from 'node:fs';
import path from 'node:path';

/** An entry of docs/data-protection.md for one table. */
export interface DescribedTable {
  readonly table: string;
  readonly ofContacts: readonly string[];
  readonly ofOthers: readonly string[];
  readonly ofNobody: readonly string[];
}

const PAGE = path.resolve(__dirname, '../../docs/data-protection.md');

/** The table of columns in docs/data-protection.md. */
export function describedTables(): DescribedTable[] {
  const [, listed = ''] = readFileSync(PAGE, 'utf8').split('<!-- columns -->\n');
  const [block = ''] = listed.split('\n\n');
  const named = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return block
    .split('\n')
    .slice(2)
    .map((line) => {
      const [, table, ofContacts, , ofOthers, ofNobody] = line.split('|');
      return {
        table: named(table)[0] ?? '',
        ofContacts: named(ofContacts),
        ofOthers: named(ofOthers),
        ofNobody: named(ofNobody),
      };
    });
}

/** The columns with personal data of contacts, as `table.column`. */
export const contactColumns = (): string[] =>
  describedTables()
    .flatMap(({ table, ofContacts }) => ofContacts.map((column) => `${table}.${column}`))
    .sort();
