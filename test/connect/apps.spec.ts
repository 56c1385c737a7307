import { createHmac } from 'node:crypto';
import { NetworkAppsService } from '../../src/accounts/network-apps.service.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, type TestPhone, uniqueDigits, uniquePhone, World } from '../support/world.js';

const SECRET = 'secret-of-the-second-app';

describe('callbacks of several apps', () => {
  let world: World;
  const app = `7${uniqueDigits()}`;
  let ours: TestAccount;
  let theirs: TestAccount;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    const apps = world.parley.app.get(NetworkAppsService);
    await apps.add({ appId: app, appSecret: SECRET, verifyToken: 'verify-me' });
    ours = await world.account();
    theirs = await world.account();
    const { accountId, phone } = theirs;
    await world.unitOfWork.autocommit.affected(
      'UPDATE business_phones SET app_id = $3 WHERE account_id = $1 AND id = $2',
      [accountId, phone.id, app],
    );
  });
  afterAll(() => world.stop());

  const path = (of: string | null) => `/network/callbacks${of === null ? '' : `/${of}`}`;
  const post = async (of: string | null, secret: string, body: object) => {
    const text = JSON.stringify(body);
    const signature = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
    // The network repeats a callback while Parley cannot take it.
    return until('the callback is answered', async () => {
      const { status } = await fetch(world.baseUrl + path(of), { method: 'POST', headers, body: text });
      return status !== 503 && status;
    });
  };
  const entry = (account: TestAccount, field: string, value: object) => ({
    object: 'whatsapp_business_account',
    entry: [{ id: account.phone.wabaId, time: Math.floor(Date.now() / 1000), changes: [{ field, value }] }],
  });
  const message = (account: TestAccount, from: string) =>
    entry(account, 'messages', {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: account.phone.phoneNumberId },
      contacts: [{ wa_id: from, profile: { name: 'Ada' } }],
      messages: [{ from, id: `wamid.${uniqueDigits()}`, type: 'text', text: { body: 'Hi' } }],
    });
  const heard = async ({ accountId }: TestAccount) =>
    (await world.unitOfWork.autocommit.rows('SELECT id FROM messages WHERE account_id = $1', [accountId])).length;
  const recorded = async () =>
    (
      await world.unitOfWork.autocommit.rows(
        `SELECT 1 AS one FROM unhandled_callbacks WHERE account_id IS NULL AND reason LIKE 'about a phone of another app%'`,
      )
    ).length;

  it('confirms the callback URL of each app with its own verify token', async () => {
    const confirm = (of: string | null, token: string) =>
      fetch(`${world.baseUrl}${path(of)}?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=42`);
    expect(await (await confirm(app, 'verify-me')).text()).toBe('42');
    expect((await confirm(app, 'test-verify-token')).status).toBe(403);
    expect((await confirm(null, 'verify-me')).status).toBe(403);
    expect((await confirm('1', 'test-verify-token')).status).toBe(200);
    expect((await confirm('404', 'verify-me')).status).toBe(404);
  });

  it('takes a callback only with the secret of its app', async () => {
    const before = await heard(theirs);
    expect(await post(app, 'test-app-secret', message(theirs, uniquePhone()))).toBe(401);
    expect(await post(null, SECRET, message(theirs, uniquePhone()))).toBe(401);
    expect(await post('404', SECRET, message(theirs, uniquePhone()))).toBe(404);
    expect(await heard(theirs)).toBe(before);
    expect(await post(app, SECRET, message(theirs, uniquePhone()))).toBe(200);
    expect(await heard(theirs)).toBe(before + 1);
  });

  it('records what an app says about the phones of another, and does nothing else', async () => {
    const from = uniquePhone();
    const account_update = (account: TestAccount) =>
      entry(account, 'account_update', { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } });
    const borrowed = (account: TestAccount) => ({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            {
              field: 'account_update',
              value: { event: 'PARTNER_REMOVED', waba_info: { waba_id: account.phone.wabaId } },
            },
            {
              field: 'user_preferences',
              value: {
                metadata: { phone_number_id: account.phone.phoneNumberId },
                user_preferences: [{ wa_id: from, category: 'marketing_messages', value: 'stop' }],
              },
            },
          ],
        },
      ],
    });
    const report = (account: TestAccount) =>
      entry(account, 'messages', {
        messaging_product: 'whatsapp',
        metadata: { phone_number_id: account.phone.phoneNumberId },
        statuses: [{ id: 'wamid.unknown', status: 'sent', timestamp: '1' }],
      });
    for (const [of, secret, victim] of [
      [app, SECRET, ours],
      [null, 'test-app-secret', theirs],
    ] as const) {
      const before = await recorded();
      const messages = await heard(victim);
      for (const body of [message(victim, from), account_update(victim), borrowed(victim), report(victim)]) {
        expect(await post(of, secret, body)).toBe(200);
      }
      expect(await recorded()).toBe(before + 5);
      expect(await heard(victim)).toBe(messages);
      const { accountId, phone } = victim;
      const state = await world.unitOfWork.autocommit.row(
        `SELECT b.restrictions::text, (SELECT count(*)::int FROM parked_reports p WHERE p.account_id = $1) AS parked,
                (SELECT count(*)::int FROM consent_decisions c WHERE c.account_id = $1) AS decisions
         FROM business_accounts b WHERE b.account_id = $1 AND b.waba_id = $2`,
        [accountId, phone.wabaId],
      );
      expect(state).toEqual({ restrictions: '{}', parked: 0, decisions: 0 });
    }
  });

  it('keeps two apps within one business account apart, and takes notices about its templates from both', async () => {
    const account = await world.account({ phones: 2 });
    const [first, second] = account.phones as unknown as [TestPhone, TestPhone];
    const shared = `7${uniqueDigits()}`;
    const apps = world.parley.app.get(NetworkAppsService);
    await apps.add({ appId: shared, appSecret: 'shared-secret', verifyToken: 'shared' });
    await world.unitOfWork.autocommit.affected(
      'UPDATE business_phones SET app_id = $3 WHERE account_id = $1 AND id = $2',
      [account.accountId, second.id, shared],
    );
    const keys: [string | null, string, TestPhone, TestPhone][] = [
      [null, 'test-app-secret', first, second],
      [shared, 'shared-secret', second, first],
    ];
    let known = 0;
    for (const [of, secret, own, foreign] of keys) {
      const before = await recorded();
      expect(await post(of, secret, message({ ...account, phone: foreign }, uniquePhone()))).toBe(200);
      expect([await heard(account), await recorded()]).toEqual([known, before + 1]);
      expect(await post(of, secret, message({ ...account, phone: own }, uniquePhone()))).toBe(200);
      known += 1;
      expect([await heard(account), await recorded()]).toEqual([known, before + 1]);
    }

    const template = await approvedTemplate(world, account);
    const [row] = await world.unitOfWork.autocommit.rows<{ metaTemplateId: string }>(
      'SELECT meta_template_id FROM templates WHERE account_id = $1 AND id = $2',
      [account.accountId, template.id],
    );
    const start = Math.floor(Date.now() / 1000);
    const notice = (event: string, seconds: number) => ({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: account.phone.wabaId,
          time: start + seconds,
          changes: [
            {
              field: 'message_template_status_update',
              value: { event, message_template_id: row?.metaTemplateId, message_template_name: template.name },
            },
          ],
        },
      ],
    });
    const status = async () =>
      (await account.api.get<{ template: { status: string } }>(`/api/v1/templates/${template.id}`)).body.template
        .status;
    expect(await post(app, SECRET, notice('REJECTED', 10))).toBe(200);
    expect(await status()).toBe('APPROVED');
    expect(await post(shared, 'shared-secret', notice('REJECTED', 20))).toBe(200);
    expect(await status()).toBe('REJECTED');
    expect(await post(null, 'test-app-secret', notice('APPROVED', 30))).toBe(200);
    expect(await status()).toBe('APPROVED');
  });

  it('cannot be removed while a phone is connected with it', async () => {
    const apps = world.parley.app.get(NetworkAppsService);
    await expect(apps.remove(app)).rejects.toMatchObject({ code: 'conflict' });
    await expect(apps.add({ appId: app, appSecret: 'x', verifyToken: 'y' })).rejects.toMatchObject({
      code: 'conflict',
    });
    await expect(apps.add({ appId: '1', appSecret: 'x', verifyToken: 'y' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await theirs.api.delete(`/api/v1/business-phones/${theirs.phone.id}`)).status).toBe(200);
    await apps.remove(app);
    await expect(apps.require(app)).rejects.toMatchObject({ code: 'bad_request' });
  });
});
