import { readdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../migrations/index.js';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { emptyDatabase } from '../support/database.js';
import { describeSchema } from './schema-catalog.js';

jest.setTimeout(60_000);

const FILES = readdirSync(path.resolve(__dirname, '../../migrations'))
  .filter((file) => file !== 'index.ts')
  .sort();
/** TypeORM orders migrations by the number at the end of their names. */
const FIRST_NUMBER = 1_790_000_000_000;

const nameOf = (file: string): string => {
  const [, number = '', words = ''] = /^(\d{4})-([a-z0-9-]+)\.ts$/.exec(file) ?? [];
  const pascal = words.replace(/(?:^|-)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return `${pascal}${FIRST_NUMBER + Number(number)}`;
};

describe('migrations', () => {
  it('have names with a number and a verb, for file and class', () => {
    expect(FILES.filter((file) => !/^\d{4}-[a-z]+(?:-[a-z0-9]+)+\.ts$/.test(file))).toEqual([]);
    expect(new Set(FILES.map((file) => file.slice(0, 4))).size).toBe(FILES.length);
  });

  it('are all listed, oldest first', () => {
    expect(MIGRATIONS.map(({ name }) => name)).toEqual(FILES.map(nameOf));
  });
});

describe('each migration', () => {
  let dataSource: DataSource;
  let runner: QueryRunner;
  let client: pg.Client;

  beforeAll(async () => {
    const url = await emptyDatabase();
    dataSource = await createDataSource({ url, poolSize: 2 }).initialize();
    runner = dataSource.createQueryRunner();
    client = new pg.Client({ connectionString: url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await runner.release();
    await dataSource.destroy();
  });

  const inTransaction = async (work: () => Promise<unknown>) => {
    await runner.startTransaction();
    await work();
    await runner.commitTransaction();
  };

  it('reverts exactly what it did, and can be applied again', async () => {
    const before: string[][] = [];
    const up = (Migration: new () => MigrationInterface) => inTransaction(() => new Migration().up(runner));
    for (const Migration of MIGRATIONS) {
      before.push(await describeSchema(client));
      await up(Migration);
    }
    const complete = await describeSchema(client);
    for (const [index, Migration] of [...MIGRATIONS.entries()].reverse()) {
      await inTransaction(() => new Migration().down(runner));
      expect({ reverted: Migration.name, schema: await describeSchema(client) }).toEqual({
        reverted: Migration.name,
        schema: before[index],
      });
    }
    for (const Migration of MIGRATIONS) await up(Migration);
    expect(await describeSchema(client)).toEqual(complete);
  });
});

describe('migrate', () => {
  it('runs each migration once when several processes start in parallel', async () => {
    const url = await emptyDatabase();
    const runs = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(runs.map(({ length }) => length).sort((a, b) => a - b)).toEqual([0, 0, MIGRATIONS.length]);
    expect(await migrate(url)).toEqual([]);
  });

  it('rolls back a migration that fails', async () => {
    const url = await emptyDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      // Blocks the table of a migration that first creates extensions.
      await client.query('CREATE TABLE contacts (id integer)');
      await expect(migrate(url)).rejects.toThrow(/contacts/);
      const { rows } = await client.query("SELECT extname FROM pg_extension WHERE extname = 'pg_trgm'");
      expect(rows).toEqual([]);
      await client.query('DROP TABLE contacts');
      const failed = MIGRATIONS.findIndex(({ name }) => name.startsWith('CreateContacts'));
      expect(await migrate(url)).toEqual(MIGRATIONS.slice(failed).map(({ name }) => name));
    } finally {
      await client.end();
    }
  });
});
