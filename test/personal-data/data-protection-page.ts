import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pagesWith } from '../support/extension-records.js';

/** An entry of docs/data-protection.md for one table. */
export interface DescribedTable {
  readonly table: string;
  readonly ofContacts: readonly string[];
  readonly ofOthers: readonly string[];
  readonly ofNobody: readonly string[];
}

const PAGES = pagesWith(path.resolve(__dirname, '../../docs/data-protection.md'));

/** The table of columns in docs/data-protection.md, and those in the README.md of extensions. */
export const describedTables = (): DescribedTable[] => PAGES.flatMap(tablesIn);

function tablesIn(page: string): DescribedTable[] {
  const [, listed = ''] = readFileSync(page, 'utf8').split('<!-- columns -->\n');
  const [block = ''] = listed.split('\n\n');
  const named = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return block
    .split('\n')
    .filter((line) => line.startsWith('|'))
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
