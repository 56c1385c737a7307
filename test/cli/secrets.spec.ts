import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { tokenPlace } from '../../src/accounts/business-phones.service.js';
import { campaignCodePlace, recipientCodePlace } from '../../src/campaigns/authoring/code-columns.js';
import { SEALED_COLUMNS } from '../../src/cli/secret.commands.js';
import { parseEncryptionKeys } from '../../src/config/environment-values.js';
import { hashKeyPlace } from '../../src/database/secrets/hash-keys.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { ANSWER_COLUMN } from '../../src/idempotency/idempotency-keys.service.js';
import { newRecordId, type RecordId } from '../../src/values/record-id.js';
import { Program, ROOT } from '../sandbox/program.js';
import { ApiClient } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { type AccountRows, insertAccount, uniquePhone } from '../support/test-account.js';
import { until } from '../support/until.js';
import { type TestAccount, World } from '../support/world.js';
import { subscribe } from '../webhooks/events.js';
import { Receiver } from '../webhooks/receiver.js';
import { plainSignature, standardSignature } from '../webhooks/signatures.js';
import { answerOf, commandLine } from './command-line.js';

const OLD = Buffer.alloc(32, 7).toString('base64');
const NEW = Buffer.alloc(32, 8).toString('base64');
/** The new key encrypts, the old one only decrypts. A key without an id is called k1. */
const BOTH = `k2:${NEW},k1:${OLD}`;
const oldBox = new SecretBox(parseEncryptionKeys(OLD));
const newBox = new SecretBox(parseEncryptionKeys(`k2:${NEW}`));

describe('secrets reencrypt', () => {
  let databaseUrl: string;
  let client: pg.Client;
  /** What ends whatever a test has started, the last one first. */
  const ends: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    databaseUrl = await freshDatabase();
    client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
  });
  afterEach(async () => {
    await Program.killAll();
    for (const end of ends.splice(0).reverse()) await end();
    await client.end();
  });
  /** Ends by itself after the test, unless `stop` has done that before. */
  const start = async (encryptionKey: string): Promise<{ world: World; stop(): Promise<void> }> => {
    const world = await World.start({ databaseUrl, env: { ENCRYPTION_KEY: encryptionKey } });
    const end = () => world.stop();
    ends.push(end);
    const stop = async () => {
      ends.splice(ends.indexOf(end), 1);
      await end();
    };
    return { world, stop };
  };

  const env = (key = BOTH) => ({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: key, DATA_DIR: '/nonexistent' });
  const reencrypt = () => answerOf(env(), 'secrets', 'reencrypt') as Promise<Record<string, unknown>>;
  const nothing = Object.fromEntries(SEALED_COLUMNS.map(({ table, column }) => [`${table}.${column}`, 0]));
  /** Number of values, in any column, that are encrypted under a key. */
  const sealedUnder = async (keyId: string): Promise<number> => {
    const { rows } = await client.query<{ table_name: string; column_name: string }>(
      `SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND data_type IN ('text', 'json', 'jsonb', 'ARRAY')
         AND table_name <> 'hash_keys'`,
    );
    let found = 0;
    for (const { table_name, column_name } of rows) {
      const { rowCount } = await client.query(
        `SELECT FROM ${table_name} WHERE ${column_name}::text LIKE '%v1.${keyId}.%'`,
      );
      found += rowCount ?? 0;
    }
    return found;
  };
  const newAccount = (): Promise<AccountRows> =>
    insertAccount({}, oldBox, (sql, parameters) => client.query(sql, parameters));
  const storedToken = async (phoneId: RecordId): Promise<string> => {
    const { rows } = await client.query('SELECT access_token FROM business_phones WHERE id = $1', [phoneId]);
    return rows[0].access_token;
  };
  /** Stores responses of earlier requests; their keys sort by number. */
  const storeAnswers = async (accountId: RecordId, count: number): Promise<void> => {
    const family = newRecordId();
    const keys = Array.from({ length: count }, (_, index) => `key ${String(index).padStart(5, '0')}`);
    await client.query(
      `INSERT INTO idempotency_keys (account_id, family, idempotency_key, fingerprint, owner, lease_until, status_code, response)
       SELECT $1, $2, k, '', $2, now(), 200, r FROM unnest($3::text[], $4::text[]) AS n (k, r)`,
      [accountId, family, keys, keys.map((key) => oldBox.seal(key, ANSWER_COLUMN.place(accountId, [family, key])))],
    );
  };

  /** Lets an update of the table wait for a locked row as long as a statement may take, instead of two seconds. */
  const waitLonger = (table: string) =>
    client.query(`
      CREATE FUNCTION wait_longer() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM set_config('lock_timeout', '0', true); RETURN NULL; END $$;
      CREATE TRIGGER wait_longer BEFORE UPDATE ON ${table} FOR EACH STATEMENT EXECUTE FUNCTION wait_longer()`);

  it('re-encrypts every column while the service runs, so that the old key can be removed', async () => {
    const receiver = await Receiver.listen();
    ends.push(() => receiver.close());
    const { world: before, stop: stopFirst } = await start(OLD);
    const account = await before.account();
    const endpoint = await subscribe(account, {
      url: receiver.url(),
      secret: 'first',
      headers: { authorization: 'a password' },
    });
    const rotate = (api: ApiClient) =>
      api.post(
        `/api/v1/webhooks/${endpoint}/rotate-secret`,
        { secret: 'second' },
        { headers: { 'idempotency-key': 'before the change' } },
      );
    const rotated = await rotate(account.api);
    expect(rotated.body).toMatchObject({ secret: 'second' });
    // Two older secrets, beside the present and the previous one.
    for (const secret of ['third', 'fourth']) {
      await account.api.post(`/api/v1/webhooks/${endpoint}/rotate-secret`, { secret });
    }
    const codes = await approvedTemplate(before, account, { category: 'AUTHENTICATION', body: undefined });
    const drafted = await account.api.post<{ campaign_id: string }>('/api/v1/campaigns/', {
      name: 'Codes',
      template_name: codes.name,
      body_data: { '1': 'shared' },
      contacts: [{ phone: uniquePhone() }, { phone: uniquePhone(), body_data: { '1': 'own' } }],
    });
    const campaignId = drafted.body.campaign_id;
    await stopFirst();
    // A recipient counts twice, in its partition and in the partitioned table; the older secrets count once.
    expect(await sealedUnder('k1')).toBe(10);

    const { world: during, stop: stopSecond } = await start(BOTH);
    const api = new ApiClient(during.baseUrl, account.apiKey);
    let stopped = false;
    const traffic = (async () => {
      let requests = 0;
      for (; !stopped; requests += 1) {
        const body = { phone_number: uniquePhone(), first_name: 'Ada' };
        const headers = { 'idempotency-key': `during the change ${requests}` };
        expect((await api.post('/api/v1/contacts/', body, { headers })).status).toBe(201);
      }
      return requests;
    })();
    const answered = await reencrypt().finally(() => {
      stopped = true;
      return traffic;
    });
    expect(await traffic).toBeGreaterThan(0);
    expect(answered).toEqual({
      key_id: 'k2',
      'business_phones.access_token': 1,
      'webhook_endpoints.secret': 1,
      'webhook_endpoints.previous_secret': 1,
      'webhook_endpoints.older_secrets': 2,
      'webhook_endpoints.headers': 1,
      'idempotency_keys.response': 1,
      'idempotency_keys.shown_once': 1,
      'contact_erasures.identity': 0,
      'campaigns.code': 1,
      'campaign_recipients.code': 1,
    });
    expect(await sealedUnder('k1')).toBe(0);
    const { rows: sealed } = await client.query<{ shared: string; own: string }>(
      `SELECT g.code AS shared, r.code AS own FROM campaigns g JOIN campaign_recipients r ON r.campaign_id = g.id
       WHERE g.id = $1 AND r.position = 1`,
      [campaignId],
    );
    expect(
      sealed.map(({ shared, own }) => [
        newBox.open(shared, campaignCodePlace(account.accountId, campaignId)),
        newBox.open(own, recipientCodePlace(account.accountId, campaignId, 1)),
      ]),
    ).toEqual([['"shared"', '"own"']]);
    const { rows: hashKeys } = await client.query<{ secret: string }>('SELECT secret FROM hash_keys');
    expect(hashKeys.map(({ secret }) => secret.slice(0, 6))).toEqual(['v1.k2.', 'v1.k2.']);
    await stopSecond();

    const { world: after } = await start(`k2:${NEW}`);
    const later = new ApiClient(after.baseUrl, account.apiKey);
    const same: TestAccount = { ...account, api: later };
    for (const { phoneNumberId, wabaId, display } of account.phones) {
      await after.simulator.addPhone(phoneNumberId, wabaId, display);
    }
    const template = await approvedTemplate(after, same);
    receiver.received.length = 0;
    const body = { template_name: template.name, contact_phone: uniquePhone() };
    expect((await later.post('/api/v1/messages/send', body)).status).toBe(200);
    const delivery = await until('a webhook is delivered', () => receiver.received[0]);
    expect(delivery.headers['authorization']).toBe('a password');
    expect(delivery.headers['x-webhook-signature']).toBe(plainSignature(delivery, 'fourth'));
    expect(delivery.headers['webhook-signature']).toBe(
      ['fourth', 'third', 'second', 'first'].map((secret) => standardSignature(delivery, secret)).join(' '),
    );
    const replayed = await rotate(later);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body).toEqual(rotated.body);
  });

  it('changes nothing on the second run', async () => {
    await newAccount();
    await expect(reencrypt()).resolves.toMatchObject({ 'business_phones.access_token': 1 });
    await expect(reencrypt()).resolves.toEqual({ key_id: 'k2', ...nothing });
  });

  it('continues where it was killed', async () => {
    const { accountId } = await newAccount();
    await storeAnswers(accountId, 1200);
    await waitLonger('idempotency_keys');
    const other = await ForeignSession.open(databaseUrl);
    ends.push(() => other.close());
    await other.lock('idempotency_keys', `idempotency_key = 'key 01100'`, []);
    const program = Program.script('cli.mjs', env(), ['secrets', 'reencrypt']);
    await until('it waits for the locked row', async () => {
      const { rowCount } = await client.query(
        `SELECT FROM pg_stat_activity WHERE application_name = 'parley-cli' AND wait_event_type = 'Lock'`,
      );
      return rowCount !== null && rowCount >= 1;
    });
    program.kill('SIGKILL');
    await expect(program.exit).resolves.toBe('SIGKILL');
    await other.release();
    await until('its session is gone', async () => {
      const { rowCount } = await client.query(`SELECT FROM pg_stat_activity WHERE application_name = 'parley-cli'`);
      return rowCount === 0;
    });
    // The killed statement may still have committed once the row was free.
    const left = await sealedUnder('k1');
    expect([0, 200]).toContain(left);
    expect((await sealedUnder('k2')) + left).toBe(1201);
    await expect(reencrypt()).resolves.toEqual({ key_id: 'k2', ...nothing, 'idempotency_keys.response': left });
    expect(await sealedUnder('k1')).toBe(0);
  });

  it('can run twice in parallel', async () => {
    const { accountId } = await newAccount();
    await storeAnswers(accountId, 3000);
    const answers = await Promise.all([reencrypt(), reencrypt()]);
    const changed = answers.map((answer) => Number(answer['idempotency_keys.response']));
    expect(changed.reduce((sum, each) => sum + each, 0)).toBe(3000);
    expect([await sealedUnder('k1'), await sealedUnder('k2')]).toEqual([0, 3001]);
  });

  it('does not overwrite a secret that changes in the meantime, and re-encrypts the new one', async () => {
    const { accountId, phone } = await newAccount();
    await waitLonger('business_phones');
    const other = await ForeignSession.open(databaseUrl);
    ends.push(() => other.close());
    await other.lock('business_phones', 'id = $1', [phone.id]);
    const running = reencrypt();
    await until('it waits for the row', async () => {
      const { rowCount } = await client.query(
        `SELECT FROM pg_stat_activity WHERE application_name = 'parley-cli' AND wait_event_type = 'Lock'`,
      );
      return rowCount !== null && rowCount >= 1;
    });
    const place = tokenPlace(accountId, phone.id);
    await other.query('UPDATE business_phones SET access_token = $2 WHERE id = $1', [
      phone.id,
      oldBox.seal('changed meanwhile', place),
    ]);
    await other.query('COMMIT');
    await expect(running).resolves.toMatchObject({ 'business_phones.access_token': 1 });
    expect(newBox.open(await storedToken(phone.id), place)).toBe('changed meanwhile');
  });

  it('reports a process that still encrypts under the old key', async () => {
    await newAccount();
    await client.query(`
      CREATE FUNCTION put_back() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN NEW.access_token := OLD.access_token; RETURN NEW; END $$;
      CREATE TRIGGER put_back BEFORE UPDATE ON business_phones FOR EACH ROW EXECUTE FUNCTION put_back()`);
    await expect(commandLine(env(), 'secrets', 'reencrypt')).resolves.toEqual({
      code: 1,
      stdout: '',
      stderr:
        'a process keeps encrypting with another key than k2: restart every process of the service with k2 as the first ' +
        'key of ENCRYPTION_KEY, then run this again\n',
    });
  });

  it('names a secret that no key can decrypt, and re-encrypts all others', async () => {
    const accounts = [await newAccount(), await newAccount(), await newAccount()];
    const [lost, , spoilt] = accounts;
    const foreign = new SecretBox(parseEncryptionKeys(`k0:${NEW}`));
    const store = (id: string | undefined, value: string) =>
      client.query('UPDATE business_phones SET access_token = $2 WHERE id = $1', [id, value]);
    await store(lost?.phone.id, foreign.seal('lost', tokenPlace(String(lost?.accountId), String(lost?.phone.id))));
    await store(spoilt?.phone.id, 'no sealed value');
    await expect(commandLine(env(), 'secrets', 'reencrypt')).resolves.toEqual({
      code: 1,
      stdout: '',
      stderr:
        `business_phones.access_token of ${lost?.phone.id} (account ${lost?.accountId}) is encrypted with key "k0", ` +
        'which is not configured (and 1 more); everything else has been re-encrypted\n',
    });
    expect([await sealedUnder('k0'), await sealedUnder('k1'), await sealedUnder('k2')]).toEqual([1, 0, 1]);
  });

  it('names a hash key that no key can decrypt', async () => {
    await newAccount();
    const foreign = new SecretBox(parseEncryptionKeys(`k0:${NEW}`));
    const sealed = foreign.seal('lost', hashKeyPlace('fingerprints'));
    await client.query(`INSERT INTO hash_keys (name, secret) VALUES ('fingerprints', $1)`, [sealed]);
    await expect(commandLine(env(), 'secrets', 'reencrypt')).resolves.toMatchObject({
      code: 1,
      stderr:
        'hash_keys.secret of fingerprints (account all) is encrypted with key "k0", which is not configured; ' +
        'everything else has been re-encrypted\n',
    });
    expect([await sealedUnder('k1'), await sealedUnder('k2')]).toEqual([0, 1]);
  });

  it('covers every encrypted column', () => {
    const named = readdirSync(path.join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .flatMap((file) => [...readFileSync(path.join(ROOT, 'src', file), 'utf8').matchAll(/column: '(\w+\.\w+)'/g)])
      .map(([, place]) => place);
    const known = SEALED_COLUMNS.map((each) => each.place('a', ['b', 'c']).column);
    expect(new Set(named)).toEqual(new Set([...known, hashKeyPlace('any').column]));
    expect(named.length).toBeGreaterThan(0);
  });

  it('requires the new key to come first', async () => {
    await newAccount();
    await expect(answerOf(env(`k1:${OLD},k2:${NEW}`), 'secrets', 'reencrypt')).resolves.toEqual({
      key_id: 'k1',
      ...nothing,
    });
    await expect(commandLine({ ...env(), ENCRYPTION_KEY: '' }, 'secrets', 'reencrypt')).resolves.toMatchObject({
      code: 1,
      stderr: 'configuration: ENCRYPTION_KEY is required: secrets are stored encrypted\n',
    });
  });
});
