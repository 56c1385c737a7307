import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { tokenPlace } from '../../src/accounts/business-phones.service.js';
import { parseEncryptionKeys } from '../../src/config/environment-values.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { emptyDatabase, workerDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { uniqueDigits } from '../support/world.js';
import { answerOf, commandLine } from './command-line.js';

/** Nothing listens here: port 1 needs a privilege that tests do not have. */
const NO_SERVER = 'postgres://nobody@127.0.0.1:1/nowhere';

describe('the target of the command line', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'parley-cli-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const sandboxKey = Buffer.alloc(32, 9).toString('base64');
  const writeSandbox = (databaseUrl: string) => {
    writeFileSync(path.join(dataDir, 'sandbox.json'), JSON.stringify({ database_url: databaseUrl }));
    writeFileSync(path.join(dataDir, 'secrets.json'), JSON.stringify({ encryption_key: sandboxKey }));
  };
  const select = async <Row>(databaseUrl: string, sql: string, parameters: unknown[] = []): Promise<Row[]> => {
    const session = await ForeignSession.open(databaseUrl);
    try {
      return await session.query<Row>(sql, parameters);
    } finally {
      await session.close();
    }
  };
  const addPhone = (accountId: string) => [
    ...['phones', 'add', '--account', accountId, '--phone-number-id', `44${uniqueDigits()}`],
    ...['--waba-id', `33${uniqueDigits()}`, '--display', '12025550123'],
  ];

  it('is the sandbox in DATA_DIR, whose key encrypts tokens', async () => {
    const databaseUrl = await workerDatabase();
    writeSandbox(databaseUrl);
    const env = { DATA_DIR: dataDir };
    const { account_id } = await answerOf(env, 'accounts', 'create', '--name', 'Sandboxed');
    const { waba_phone_id } = await answerOf(env, ...addPhone(String(account_id)));
    const [row] = await select<{ access_token: string }>(
      databaseUrl,
      'SELECT access_token FROM business_phones WHERE account_id = $1 AND id = $2',
      [account_id, waba_phone_id],
    );
    const box = new SecretBox(parseEncryptionKeys(sandboxKey));
    expect(box.open(row?.access_token ?? '', tokenPlace(String(account_id), String(waba_phone_id)))).toBe('sandbox');
  });

  it('is the network of the sandbox too, with its app, unless variables say otherwise', async () => {
    const database_url = await workerDatabase();
    const sandbox = {
      ...{ database_url, base_url: 'http://127.0.0.1:3000', simulator_url: 'http://127.0.0.1:4000' },
      ...{ network_app_secret: 'a-secret', network_verify_token: 'a-token' },
    };
    writeFileSync(path.join(dataDir, 'sandbox.json'), JSON.stringify(sandbox));
    writeFileSync(path.join(dataDir, 'secrets.json'), JSON.stringify({ encryption_key: sandboxKey, app_id: '4711' }));
    const env = { DATA_DIR: dataDir, NETWORK_VERIFY_TOKEN: '' };
    const app = { callback_url: 'http://127.0.0.1:3000/network/callbacks', added_at: null };
    const first = async (given: Record<string, string>) =>
      ((await answerOf(given, 'apps', 'list')) as unknown as { apps: object[] }).apps[0];
    expect(await first(env)).toEqual({ app_id: '4711', ...app });
    expect(await first({ ...env, NETWORK_APP_ID: '42' })).toEqual({ app_id: '42', ...app });
  });

  it('is DATABASE_URL rather than the sandbox, whose key is then unused', async () => {
    writeSandbox(NO_SERVER);
    const env = { DATA_DIR: dataDir, DATABASE_URL: await workerDatabase() };
    const { account_id } = await answerOf(env, 'accounts', 'create', '--name', 'Elsewhere');
    await expect(commandLine(env, ...addPhone(String(account_id)))).resolves.toEqual({
      code: 1,
      stdout: '',
      stderr: 'configuration: ENCRYPTION_KEY is required: secrets are stored encrypted\n',
    });
  });

  it('comes from DATABASE_URL_FILE and ENCRYPTION_KEY_FILE', async () => {
    const fileOf = (name: string, content: string) => {
      writeFileSync(path.join(dataDir, name), `${content}\n`);
      return path.join(dataDir, name);
    };
    const env = {
      DATA_DIR: dataDir,
      DATABASE_URL_FILE: fileOf('url', await workerDatabase()),
      ENCRYPTION_KEY_FILE: fileOf('key', sandboxKey),
    };
    const { account_id } = await answerOf(env, 'accounts', 'create', '--name', 'From files');
    await answerOf(env, ...addPhone(String(account_id)));
    await expect(
      commandLine({ ...env, DATABASE_URL: NO_SERVER }, 'accounts', 'suspend', String(account_id)),
    ).resolves.toEqual({
      code: 1,
      stdout: '',
      stderr: 'configuration: DATABASE_URL and DATABASE_URL_FILE are both set: keep one of them\n',
    });
  });

  it.each<[string, () => Record<string, string>, RegExp]>([
    [
      'there is no database at all',
      () => ({}),
      /^configuration: DATABASE_URL is required: no sandbox has been started/,
    ],
    ['DATABASE_URL is none', () => ({ DATABASE_URL: 'mysql://x' }), /^configuration: DATABASE_URL must be a URL/],
    ['the database is away', () => ({ DATABASE_URL: NO_SERVER }), /^no connection to 127\.0\.0\.1:1: /],
  ])('fails with one line and exit 1 when %s', async (_, env, message) => {
    const { code, stdout, stderr } = await commandLine(
      { DATA_DIR: dataDir, ...env() },
      'accounts',
      'create',
      '--name',
      'A',
    );
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr).toMatch(message);
  });

  it('fails with a hint when the sandbox is not running', async () => {
    writeSandbox(NO_SERVER);
    await expect(commandLine({ DATA_DIR: dataDir }, 'accounts', 'create', '--name', 'A')).resolves.toEqual({
      code: 1,
      stdout: '',
      stderr: `the sandbox of ${dataDir} is not running: start it with npm start\n`,
    });
  });

  it('migrates an empty database, including queues and partitions, and can run again', async () => {
    const env = { DATA_DIR: dataDir, DATABASE_URL: await emptyDatabase() };
    await expect(commandLine(env, 'accounts', 'create', '--name', 'Early')).resolves.toMatchObject({
      code: 1,
      stderr: 'the database schema is missing or outdated: run the command `migrate` first\n',
    });
    const { migrations } = await answerOf(env, 'migrate');
    expect(migrations).toContain('CreateAccounts1790000000006');
    const [row] = await select<{ queues: boolean; partitions: number }>(
      env.DATABASE_URL,
      `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'bullmq') AS queues,
              (SELECT count(*)::int FROM pg_inherits WHERE inhparent = 'events'::regclass) AS partitions`,
    );
    expect(row?.queues).toBe(true);
    expect(row?.partitions).toBeGreaterThanOrEqual(5);
    await expect(answerOf(env, 'migrate')).resolves.toEqual({ migrations: [] });
    await answerOf(env, 'accounts', 'create', '--name', 'In time');
  });
});
