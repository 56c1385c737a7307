import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadEnvironment } from '../../src/config/environment.js';
import { PARTITIONED_TABLES } from '../../src/database/schema/partitions.js';
import { MANIFEST } from '../../src/rooms.js';
import { reportRetention, type TableReport } from '../../src/upkeep/retention-report.js';
import { pagesWith } from '../support/extension-records.js';
import { EXTENSION_LEDGERS } from '../support/tenancy-tables.js';
import { UpkeepDatabase } from '../upkeep/upkeep-database.js';

const [PAGE = '', ...OF_EXTENSIONS] = pagesWith(path.resolve(__dirname, '../../docs/retention.md')).map((page) =>
  readFileSync(page, 'utf8'),
);

/** The cells of the table under a heading, by row. */
const rowsUnder = (heading: string, page = PAGE): string[][] => {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const lines = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
};
const namesIn = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

describe('docs/retention.md', () => {
  let database: UpkeepDatabase;
  let reports: TableReport[];
  const defaults = loadEnvironment(MANIFEST, {
    DATABASE_URL: 'postgres://127.0.0.1/parley',
    NETWORK_APP_ID: '1',
    NETWORK_APP_SECRET: 'secret',
    NETWORK_VERIFY_TOKEN: 'token',
    ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  });
  beforeAll(async () => {
    database = await UpkeepDatabase.open();
    const every = await reportRetention(defaults, MANIFEST, database.unitOfWork.autocommit);
    reports = every.filter(({ table }) => !EXTENSION_LEDGERS.includes(table));
  });
  afterAll(() => database.close());

  it('says of every table how long its rows are kept', () => {
    const documented = [PAGE, ...OF_EXTENSIONS]
      .flatMap((page) => rowsUnder('How long', page))
      .flatMap(([tables, kept]) => namesIn(tables).map((table) => [table, kept]));
    expect(documented.sort()).toEqual(reports.map(({ table, kept }) => [table, kept]).sort());
  });

  it('says which tables are partitioned by day and which by month', () => {
    const partitioned = rowsUnder('How long').flatMap(([tables = '']) => {
      const period = /\(by (\w+)\)/.exec(tables)?.[1];
      return period === undefined ? [] : namesIn(tables).map((table) => [table, period]);
    });
    expect(partitioned.sort()).toEqual(PARTITIONED_TABLES.map(({ table, period }) => [table, period]).sort());
  });

  it('adds up the size of a year', () => {
    const rows = rowsUnder('What a year weighs');
    const [all = []] = rows.slice(-1);
    const sum = rows.slice(0, -1).reduce((total, cells) => total + Number(cells[4]), 0);
    expect(Math.abs(sum - Number(all[4]))).toBeLessThan(0.5);
    for (const [, perMessage = '', perRow = '', bytes = ''] of rows.slice(0, -1)) {
      expect(Math.abs(Number(perMessage) * Number(perRow) - Number(bytes))).toBeLessThan(Number(bytes) / 50);
    }
    const known = reports.map(({ table }) => table);
    expect(rows.slice(0, -1).every(([table]) => known.includes(namesIn(table)[0] ?? ''))).toBe(true);
  });
});
