import { tokenPlace } from '../../src/accounts/business-phones.service.js';
import { ConfigurationChanges } from '../../src/database/configuration-changes.js';
import { SecretBox } from '../../src/database/secrets/secret-box.js';
import { newRecordId } from '../../src/values/record-id.js';
import { crowdOf } from '../support/crowd.js';
import { freshDatabase } from '../support/database.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniqueDigits, World } from '../support/world.js';
import { CREATE, createUpstream, deleteUpstream, LIST, SYNC } from './upstream.js';

interface Summary {
  total_meta_templates: number;
  synced: number;
  created: number;
  updated: number;
  skipped: number;
  deleted: number;
}

describe('syncing templates', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ review: 'manual' });
  });
  afterAll(() => world.stop());

  const sync = async ({ api }: TestAccount): Promise<Summary> => {
    const { status, body } = await api.post<{ status: string; message: string; summary: Summary }>(SYNC);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['status', 'message', 'summary']);
    return body.summary;
  };
  const names = async ({ api }: TestAccount): Promise<unknown[]> => {
    const { body } = await api.get<{ templates: { name: string }[] }>(LIST);
    return body.templates.map(({ name }) => name).sort();
  };

  it('creates new templates, updates changed ones, skips the rest, deletes missing ones', async () => {
    const account = await world.account({ phones: 2 });
    const { wabaId } = account.phone;
    for (const name of ['one', 'two', 'three']) await createUpstream(world.simulator, wabaId, name);
    expect(await sync(account)).toEqual({
      total_meta_templates: 3,
      synced: 3,
      created: 3,
      updated: 0,
      skipped: 0,
      deleted: 0,
    });

    const { id } = await createUpstream(world.simulator, wabaId, 'four');
    await deleteUpstream(world.simulator, wabaId, 'one');
    await sync(account);
    await world.simulator.review(id, 'reject', 'PROMOTIONAL', false);
    expect(await sync(account)).toEqual({
      total_meta_templates: 3,
      synced: 3,
      created: 0,
      updated: 1,
      skipped: 2,
      deleted: 0,
    });
    await deleteUpstream(world.simulator, wabaId, 'two');
    expect(await sync(account)).toMatchObject({ total_meta_templates: 2, skipped: 2, deleted: 1 });
    expect(await names(account)).toEqual(['four', 'three']);

    const { body } = await account.api.get<{ templates: Record<string, unknown>[] }>(
      '/api/v1/templates/?status=REJECTED',
    );
    expect(body.templates).toEqual([
      expect.objectContaining({
        name: 'four',
        status: 'REJECTED',
        network_status: 'REJECTED',
        rejection_reason: 'PROMOTIONAL',
        waba_phone_id: account.phone.id,
        body: 'Hi {{1}}',
        variable_count: 1,
      }),
    ]);
  });

  it('finds nothing to change in templates created here', async () => {
    const account = await world.account();
    const created = [
      { name: 'plain', category: 'UTILITY', body: { text: 'Hi {{1}}' }, message_send_ttl_seconds: 60 },
      {
        name: 'named',
        category: 'MARKETING',
        header: { format: 'TEXT', text: 'For {{Name}}' },
        body: { text: 'Hi {{Name}}' },
        footer: { text: 'Bye' },
        buttons: [{ type: 'URL', text: 'Track', url: 'https://shop.example/{{1}}' }],
      },
      { name: 'code', category: 'AUTHENTICATION', code_expiration_minutes: 5, add_security_recommendation: true },
      {
        name: 'offer',
        category: 'MARKETING',
        body: { text: 'Sale' },
        limited_time_offer: { text: 'Ends soon' },
        offer_code: 'SAVE10',
        buttons: [{ type: 'COPY_CODE' }],
      },
    ];
    for (const template of created) {
      expect((await account.api.post(CREATE, template)).status).toBe(201);
    }
    const before = (await account.api.get(LIST)).body;
    expect(await sync(account)).toMatchObject({ total_meta_templates: 4, skipped: 4, updated: 0 });
    expect((await account.api.get(LIST)).body).toEqual(before);
  });

  it('synchronises 1,000 templates over several pages in one statement', async () => {
    // Alone in its database, because the counter of writes is everybody's.
    const alone = await World.start({ databaseUrl: await freshDatabase(), env: { PARLEY_ROLES: 'api' } });
    try {
      await alone.simulator.behave({ review: 'manual' });
      /** The number of statements that wrote templates, as counted by the trigger of the configuration epoch. */
      const writes = async (): Promise<number> => {
        const row = await alone.unitOfWork.autocommit.row<{ epoch: number }>('SELECT epoch FROM configuration_epoch');
        return row?.epoch ?? 0;
      };
      const account = await alone.account();
      const all = Array.from({ length: 1000 }, (_, index) => `template_${index}`);
      await crowdOf(all, (name) => createUpstream(alone.simulator, account.phone.wabaId, name));
      const before = await writes();
      expect(await sync(account)).toMatchObject({ total_meta_templates: 1000, created: 1000 });
      // One statement for all of them.
      const written = (await writes()) - before;
      expect(written).toBeLessThanOrEqual(3);
      const pages = (await alone.simulator.requests(account.phone.wabaId)).filter(({ method }) => method === 'GET');
      expect(pages.length).toBeGreaterThanOrEqual(4);
      expect(await sync(account)).toMatchObject({ total_meta_templates: 1000, skipped: 1000 });
      // Nothing changed, so no cache of templates and phones is invalidated.
      expect((await writes()) - before).toBe(written);
      const { body } = await account.api.get<{ templates: unknown[]; total: number }>(
        '/api/v1/templates/?limit=100&page=10',
      );
      expect([body.templates.length, body.total]).toEqual([100, 1000]);
    } finally {
      await alone.stop();
    }
  });

  it('is safe to run concurrently', async () => {
    const account = await world.account();
    for (let index = 0; index < 20; index += 1)
      await createUpstream(world.simulator, account.phone.wabaId, `template_${index}`);
    const summaries = await Promise.all(Array.from({ length: 4 }, () => sync(account)));
    expect(summaries.map(({ created }) => created).sort((a, b) => a - b)).toEqual([0, 0, 0, 20]);
    expect(await names(account)).toHaveLength(20);
  });

  it('synchronises every business account of the account, and returns totals', async () => {
    const account = await world.account();
    const other = await addBusiness(account);
    await world.simulator.addPhone(other.phoneNumberId, other.wabaId, '15550009');
    await createUpstream(world.simulator, account.phone.wabaId, 'one');
    await createUpstream(world.simulator, account.phone.wabaId, 'two');
    await createUpstream(world.simulator, other.wabaId, 'one');
    expect(await sync(account)).toMatchObject({ total_meta_templates: 3, synced: 3, created: 3 });
    await deleteUpstream(world.simulator, other.wabaId, 'one');
    expect(await sync(account)).toMatchObject({ total_meta_templates: 2, skipped: 2, deleted: 1 });
    expect(await names(account)).toEqual(['one', 'two']);
  });

  it('names an unreadable business account, and synchronises the others', async () => {
    const account = await world.account();
    await createUpstream(world.simulator, account.phone.wabaId, 'one');
    // The network does not know it.
    const { wabaId: lost } = await addBusiness(account);
    const { status, body } = await account.api.post<{ message: string; summary: Summary }>(SYNC);
    expect(status).toBe(200);
    expect(body.summary).toMatchObject({ total_meta_templates: 1, created: 1 });
    expect(body.message).toContain(`business account ${lost}: `);
  });

  it('lists, polls and deletes with the token of another phone when the first phone’s is refused', async () => {
    const account = await world.account({ phones: 3 });
    const [first, second] = account.phones;
    const { id } = await createUpstream(world.simulator, account.phone.wabaId, 'one');
    await expire(account, first?.id);
    await expire(account, second?.id);
    expect(await sync(account)).toMatchObject({ total_meta_templates: 1, created: 1 });
    const list = () =>
      account.api.get<{ templates: Record<string, unknown>[] }>(LIST).then(({ body }) => body.templates);
    await world.simulator.review(id, 'approve', undefined, false);
    await eventually(async () =>
      expect(await list()).toEqual([expect.objectContaining({ status: 'APPROVED', waba_phone_id: first?.id })]),
    );
    const [template] = await list();
    expect((await account.api.delete(`/api/v1/templates/${template?.id}`)).status).toBe(200);
    expect(await sync(account)).toMatchObject({ total_meta_templates: 0 });
  });

  it('answers with the network’s error when no business account can be read', async () => {
    const account = await world.account({ phones: 2 });
    for (const { id } of account.phones) await expire(account, id);
    const { status, body } = await account.api.post(SYNC);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'network_rejected', message: expect.stringContaining('Session has expired') });
    // One call per phone, and no more.
    expect(await world.simulator.requests(account.phone.wabaId)).toHaveLength(2);
  });

  it('answers zeros for an account without phones', async () => {
    const account = await world.account();
    await createUpstream(world.simulator, account.phone.wabaId, 'one');
    await world.unitOfWork.autocommit.affected('DELETE FROM business_phones WHERE account_id = $1', [
      account.accountId,
    ]);
    const summary = await until('the phone is gone', async () => {
      const found = await sync(account);
      return found.total_meta_templates === 0 && found;
    });
    expect(Object.values(summary)).toEqual([0, 0, 0, 0, 0, 0]);
  });

  /** Adds another business account with one phone. */
  const addBusiness = async ({ accountId }: TestAccount) => {
    const phone = { id: newRecordId(), wabaId: `88${uniqueDigits()}`, phoneNumberId: `99${uniqueDigits()}` };
    const token = world.parley.app.get(SecretBox).seal('test-token', tokenPlace(accountId, phone.id));
    await world.unitOfWork.transaction(async (tx) => {
      await tx.affected('INSERT INTO business_accounts (account_id, waba_id) VALUES ($1, $2)', [
        accountId,
        phone.wabaId,
      ]);
      await tx.affected(
        `INSERT INTO business_phones (account_id, id, waba_id, phone_number_id, phone, throughput, is_primary, access_token)
         VALUES ($1, $2, $3, $4, '15550009', 0, false, $5)`,
        [accountId, phone.id, phone.wabaId, phone.phoneNumberId, token],
      );
    });
    return phone;
  };
  /** Gives a phone the token that the simulator treats as expired. */
  const expire = async ({ accountId }: TestAccount, phoneId = '') => {
    const token = world.parley.app.get(SecretBox).seal('expired', tokenPlace(accountId, phoneId));
    await world.unitOfWork.autocommit.affected(
      'UPDATE business_phones SET access_token = $3 WHERE account_id = $1 AND id = $2',
      [accountId, phoneId, token],
    );
    // The former token is remembered for up to a second otherwise.
    await world.parley.app.get(ConfigurationChanges).confirm();
  };
});
