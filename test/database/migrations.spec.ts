import { readdirSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { RemoveBusinessPhones1790000000104 } from '../../migrations/0104-remove-business-phones.js';
import { MIGRATIONS } from '../../migrations/index.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { ledgersOf, namesIn } from '../../src/database/schema/ledgers.js';
import { migrate } from '../../src/database/schema/migrate.js';
import { MANIFEST } from '../../src/rooms.js';
import { emptyDatabase } from '../support/database.js';
import { describeSchema } from './schema-catalog.js';

const FILES = readdirSync(path.resolve(__dirname, '../../migrations'))
  .filter((file) => file !== 'index.ts')
  .sort();
/** TypeORM orders migrations by the number at the end of their names. */
const FIRST_NUMBER = 1_790_000_000_000;

/** Those of Parley, and after them those of extensions. */
const EVERY = [...MIGRATIONS, ...MANIFEST.extensions.flatMap(({ migrations }) => migrations)];

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
    for (const Migration of EVERY) {
      before.push(await describeSchema(client));
      await up(Migration);
    }
    const complete = await describeSchema(client);
    for (const [index, Migration] of [...EVERY.entries()].reverse()) {
      await inTransaction(() => new Migration().down(runner));
      expect({ reverted: Migration.name, schema: await describeSchema(client) }).toEqual({
        reverted: Migration.name,
        schema: before[index],
      });
    }
    for (const Migration of EVERY) await up(Migration);
    expect(await describeSchema(client)).toEqual(complete);
  });
});

describe('reverting the removal of phones', () => {
  const ACCOUNTS = ['019c1363-49c0-721a-9dfd-5d80a9a39e01', '019c1363-49c0-721a-9dfd-5d80a9a39e02'];
  let client: pg.Client;
  beforeEach(async () => {
    const url = await emptyDatabase();
    await migrate(url, MANIFEST);
    client = new pg.Client({ connectionString: url });
    await client.connect();
    for (const id of ACCOUNTS) {
      await client.query("INSERT INTO users (id, full_name, email, role) VALUES ($1, 'A', $2, 'owner')", [
        id,
        `${id}@x.y`,
      ]);
      await client.query("INSERT INTO accounts (id, owner_id, name) VALUES ($1, $1, 'A')", [id]);
    }
  });
  afterEach(() => client.end());

  const business = (account: number, wabaId: string, releasedAt: Date | null) =>
    client.query('INSERT INTO business_accounts (account_id, waba_id, released_at) VALUES ($1, $2, $3)', [
      ACCOUNTS[account],
      wabaId,
      releasedAt,
    ]);
  const phone = (account: number, wabaId: string, removedAt: Date | null) =>
    client.query(
      `INSERT INTO business_phones (account_id, id, waba_id, phone_number_id, phone, access_token, removed_at)
       VALUES ($1, gen_random_uuid(), $2, '4711', '15550001', '', $3)`,
      [ACCOUNTS[account], wabaId, removedAt],
    );
  /** TypeORM's query runner, as far as migrations use it. */
  const down = () =>
    new RemoveBusinessPhones1790000000104().down({
      query: (sql: string) => client.query(sql),
    } as unknown as QueryRunner);

  it('keeps a removed phone whose number was connected again', async () => {
    await business(0, 'first', new Date());
    await business(1, 'second', null);
    await phone(0, 'first', new Date());
    await phone(1, 'second', null);
    await down();
    const { rows } = await client.query('SELECT phone_number_id AS id FROM business_phones ORDER BY account_id');
    expect(rows).toEqual([{ id: expect.stringMatching(/^removed\.4711\../) }, { id: '4711' }]);
  });

  it('says what to do when a business account has been in two accounts, and changes nothing', async () => {
    await business(0, 'shared', new Date());
    await business(1, 'shared', null);
    await expect(down()).rejects.toMatchObject({
      message: 'cannot revert: two accounts have had the business accounts shared',
      hint: expect.stringContaining('Leave the schema as it is'),
    });
    await client.query('SELECT released_at FROM business_accounts');
  });
});

describe('migrate', () => {
  it('runs each migration once when several processes start in parallel', async () => {
    const url = await emptyDatabase();
    const runs = await Promise.all([migrate(url, MANIFEST), migrate(url, MANIFEST), migrate(url, MANIFEST)]);
    expect(runs.map(({ length }) => length).sort((a, b) => a - b)).toEqual([0, 0, EVERY.length]);
    expect(await migrate(url, MANIFEST)).toEqual([]);
  });

  it('rolls back a migration that fails', async () => {
    const url = await emptyDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      // Blocks the table of a migration that first creates extensions.
      await client.query('CREATE TABLE contacts (id integer)');
      await expect(migrate(url, MANIFEST)).rejects.toThrow(/contacts/);
      const { rows } = await client.query("SELECT extname FROM pg_extension WHERE extname = 'pg_trgm'");
      expect(rows).toEqual([]);
      await client.query('DROP TABLE contacts');
      const names = namesIn(ledgersOf(MANIFEST));
      expect(await migrate(url, MANIFEST)).toEqual(
        names.slice(names.findIndex((name) => name.startsWith('CreateContacts'))),
      );
    } finally {
      await client.end();
    }
  });
});
