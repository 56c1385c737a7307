import { ForgetTemplateEvents1790000000092 } from '../../migrations/0092-forget-template-events.js';
import { ConfigurationChanges } from '../../src/database/configuration-changes.js';
import { createDataSource } from '../../src/database/connections/data-source.js';
import { secondsAgo } from '../messages/messages.js';
import { ForeignSession } from '../support/foreign-session.js';
import { HeldTimers } from '../support/held-timers.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { postNotice } from './notices.js';
import { CREATE, LIST, SYNC } from './upstream.js';

/** How long requests wait for a look at the network, milliseconds. */
const MAX_WAIT_MS = 3000;
/** Between two polls of a business account, milliseconds. */
const POLL_EVERY_MS = 5000;

interface Listed {
  templates: {
    id: string;
    name: string;
    language: string;
    status: string;
    network_status: string;
    rejection_reason: string | null;
  }[];
  total: number;
}

describe('review decisions', () => {
  let world: World;
  let waits: HeldTimers;
  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ review: 'manual' });
    // However busy the machine is, a list shows what its look has found.
    waits = HeldTimers.of(MAX_WAIT_MS);
  });
  afterAll(async () => {
    waits.letGo();
    await world.stop();
  });

  const create = async ({ api }: TestAccount, name = 'order') => {
    const { body, status } = await api.post<{ template_id: string; meta_template_id: string }>(CREATE, {
      name,
      category: 'UTILITY',
      body: { text: 'Hi {{1}}' },
    });
    expect(status).toBe(201);
    return body;
  };
  const looks = async ({ phone }: TestAccount): Promise<number> =>
    (await world.simulator.requests(phone.wabaId)).filter(({ method }) => method === 'GET').length;
  const lookedAt = ({ accountId }: TestAccount, at: string) =>
    world.unitOfWork.autocommit.affected(`UPDATE template_reviews SET looked_at = ${at} WHERE account_id = $1`, [
      accountId,
    ]);
  const forgetLook = (account: TestAccount) => lookedAt(account, `now() - interval '6 seconds'`);
  const stateOf = async ({ api }: TestAccount) => {
    const { body } = await api.get<Listed>(LIST);
    const [template] = body.templates;
    return [template?.status, template?.network_status, template?.rejection_reason];
  };

  it('are polled by the list, at most every 5 s across processes', async () => {
    const account = await world.account();
    const { meta_template_id } = await create(account);
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 5 }, () => account.api.get(LIST)));
    const polls = await looks(account);
    // One, unless the machine was so busy that the five took longer than a poll counts.
    const mostPolls = 1 + Math.floor((performance.now() - startedAt) / POLL_EVERY_MS);
    expect(Array.from({ length: mostPolls }, (_, index) => index + 1)).toContain(polls);

    await lookedAt(account, `now() + interval '1 hour'`);
    await world.simulator.review(meta_template_id, 'approve', undefined, false);
    expect(await stateOf(account)).toEqual(['PENDING', 'PENDING', null]);
    await forgetLook(account);
    expect(await stateOf(account)).toEqual(['APPROVED', 'APPROVED', null]);
    expect(await looks(account)).toBe(polls + 1);

    await forgetLook(account);
    await account.api.get(LIST);
    // Nothing is pending, so there is nothing to ask.
    expect(await looks(account)).toBe(polls + 1);
  });

  it('are shown with the network’s reason', async () => {
    const account = await world.account();
    const { meta_template_id } = await create(account);
    await world.simulator.review(meta_template_id, 'reject', 'TAG_CONTENT_MISMATCH', false);
    expect(await stateOf(account)).toEqual(['REJECTED', 'REJECTED', 'TAG_CONTENT_MISMATCH']);
  });

  it('arrive by callback as well: approve, pause, disable, reject', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    const decide = async (decision: string, status: string, reason?: string) => {
      await world.simulator.review(meta_template_id, decision, reason);
      return until(`the template is ${status}`, async () => {
        const { body } = await account.api.get<{ template: Listed['templates'][number] }>(`${LIST}${template_id}`);
        return body.template.network_status === status && body.template;
      });
    };
    expect(await decide('approve', 'APPROVED')).toMatchObject({ status: 'APPROVED' });
    expect(await decide('pause', 'PAUSED')).toMatchObject({ status: 'PENDING' });
    expect(await decide('approve', 'APPROVED')).toMatchObject({ status: 'APPROVED', rejection_reason: null });
    expect(await decide('disable', 'DISABLED')).toMatchObject({ status: 'REJECTED' });
    expect(await decide('reject', 'REJECTED', 'SCAM')).toMatchObject({ status: 'REJECTED', rejection_reason: 'SCAM' });
  });

  /** Reports `event` without changing the simulated network's own record of the template. */
  const report = async (metaTemplateId: string, event: string, reason = 'NONE') => {
    const { callback_status } = await world.simulator.callback('message_template_status_update', {
      event,
      message_template_id: Number(metaTemplateId),
      message_template_name: 'order',
      message_template_language: 'en_US',
      reason,
    });
    expect(callback_status).toBe(200);
  };

  const templateOf = async ({ api }: TestAccount, id: string) =>
    (await api.get<{ template: Listed['templates'][number] }>(`${LIST}${id}`)).body.template;
  const untilNetworkStatus = (account: TestAccount, id: string, status: string) =>
    until(`the template is ${status}`, async () => {
      const template = await templateOf(account, id);
      return template.network_status === status && template;
    });

  it.each(['flag', 'lock', 'reinstate', 'unarchive'])('leave an approved template sendable: %s', async (decision) => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    await world.simulator.review(meta_template_id, 'approve');
    await world.simulator.review(meta_template_id, decision);
    expect(await templateOf(account, template_id)).toMatchObject({ status: 'APPROVED', network_status: 'APPROVED' });
    const sent = await account.api.post('/api/v1/messages/send', {
      template_name: 'order',
      contact_phone: uniquePhone(),
      body_data: { '1': 'Ada' },
    });
    expect(sent.status).toBe(200);
  });

  it.each([
    ['pause', 'FLAGGED', 'PAUSED'],
    ['pause', 'LOCKED', 'PAUSED'],
    ['disable', 'REINSTATED', 'DISABLED'],
    ['reject', 'UNARCHIVED', 'REJECTED'],
    ['approve', 'SOMETHING_NEW', 'APPROVED'],
  ])('keep the state of a template on an event that names none: %s, then %s', async (decision, event, state) => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    await world.simulator.review(meta_template_id, decision);
    const before = await templateOf(account, template_id);
    expect(before.network_status).toBe(state);
    const { length } = await world.simulator.requests(account.phone.wabaId);
    await report(meta_template_id, event);
    // What the network says counts, and here it says the same.
    await until(
      'it has been asked',
      async () => (await world.simulator.requests(account.phone.wabaId)).length > length,
    );
    expect(await templateOf(account, template_id)).toEqual(before);
  });

  it.each([
    ['disable', 'reinstate', 'APPROVED', 'APPROVED'],
    ['archive', 'unarchive', 'APPROVED', 'APPROVED'],
  ])('are read from the network after an event that names no state: %s, then %s', async (first, second, ...states) => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    await world.simulator.review(meta_template_id, 'approve');
    await world.simulator.review(meta_template_id, first);
    expect(await templateOf(account, template_id)).toMatchObject({ status: 'REJECTED' });
    await world.simulator.review(meta_template_id, second);
    const [status, networkStatus = ''] = states;
    expect(await untilNetworkStatus(account, template_id, networkStatus)).toMatchObject({ status });
  });

  it('come back as they were when a rejected template is unarchived', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    await world.simulator.review(meta_template_id, 'pause');
    await world.simulator.review(meta_template_id, 'archive');
    expect(await templateOf(account, template_id)).toMatchObject({ status: 'REJECTED', network_status: 'ARCHIVED' });
    await world.simulator.review(meta_template_id, 'unarchive');
    expect(await untilNetworkStatus(account, template_id, 'PAUSED')).toMatchObject({ status: 'PENDING' });
  });

  it('are asked for again when the network could not be asked', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    await world.simulator.review(meta_template_id, 'disable');
    const token = async (value: string) => {
      await world.unitOfWork.autocommit.affected(
        `UPDATE business_phones SET access_token = CASE WHEN $2 = '' THEN 'v1.unknown.x.y' ELSE $2 END
         WHERE account_id = $1`,
        [account.accountId, value],
      );
      // It is remembered for up to a second otherwise.
      await world.parley.app.get(ConfigurationChanges).confirm();
    };
    const kept = await world.unitOfWork.autocommit.row<{ accessToken: string }>(
      'SELECT access_token FROM business_phones WHERE account_id = $1',
      [account.accountId],
    );
    await token('');
    await world.simulator.review(meta_template_id, 'reinstate');
    const look = () =>
      world.unitOfWork.autocommit.row<{ isLater: boolean }>(
        'SELECT look_at > now() AS is_later FROM template_looks WHERE account_id = $1 AND template_id = $2',
        [account.accountId, template_id],
      );
    await until('it has been tried', async () => (await look())?.isLater === true);
    expect(await templateOf(account, template_id)).toMatchObject({ network_status: 'DISABLED' });
    await token(kept?.accessToken ?? '');
    await world.unitOfWork.autocommit.affected('UPDATE template_looks SET look_at = now() WHERE account_id = $1', [
      account.accountId,
    ]);
    expect(await untilNetworkStatus(account, template_id, 'APPROVED')).toMatchObject({ status: 'APPROVED' });
  });

  it('are read again by the upgrade where an event was kept as the state', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    await world.simulator.review(meta_template_id, 'approve');
    await world.simulator.review(meta_template_id, 'pause', undefined, false);
    await world.unitOfWork.autocommit.affected(
      `UPDATE templates SET network_status = 'FLAGGED' WHERE account_id = $1 AND id = $2`,
      [account.accountId, template_id],
    );
    const dataSource = await createDataSource({ url: world.environment.databaseUrl, poolSize: 1 }).initialize();
    const runner = dataSource.createQueryRunner();
    try {
      await new ForgetTemplateEvents1790000000092().up(runner);
    } finally {
      await runner.release();
      await dataSource.destroy();
    }
    expect(await untilNetworkStatus(account, template_id, 'PAUSED')).toMatchObject({ status: 'PENDING' });
  });

  it('about quality are acknowledged and change nothing', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    await world.simulator.review(meta_template_id, 'approve');
    const before = await templateOf(account, template_id);
    expect(await world.simulator.rate(meta_template_id, 'RED')).toMatchObject({ quality: 'RED', callback_status: 200 });
    expect(await templateOf(account, template_id)).toEqual(before);
  });

  it('follow the network’s current state when an approval comes late', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    await world.simulator.review(meta_template_id, 'approve');
    await world.simulator.review(meta_template_id, 'pause');
    // The approval's callback is repeated because its first answer was lost.
    await report(meta_template_id, 'APPROVED');
    const path = `${LIST}${template_id}`;
    await until('the template is paused', async () => {
      const { body } = await account.api.get<{ template: Listed['templates'][number] }>(path);
      return body.template.network_status === 'PAUSED';
    });
  });

  it('follow the network’s current state when a rejection is repeated after an appeal', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    await world.simulator.review(meta_template_id, 'reject', 'SCAM');
    await world.simulator.review(meta_template_id, 'approve');
    await report(meta_template_id, 'REJECTED', 'SCAM');
    await until('the template is approved', async () => {
      const { body } = await account.api.get<{ template: Listed['templates'][number] }>(`${LIST}${template_id}`);
      return body.template.status === 'APPROVED' && body.template.rejection_reason === null;
    });
  });

  /** Reports a decision as the network does, with the time of its entry in unix seconds. */
  const reportAt = async ({ phone }: TestAccount, metaTemplateId: string, event: string, time: number) => {
    const value = {
      event,
      message_template_id: Number(metaTemplateId),
      reason: event === 'REJECTED' ? 'SCAM' : 'NONE',
    };
    const changes = [{ field: 'message_template_status_update', value }];
    const entry = [{ id: phone.wabaId, time, changes }];
    await postNotice(world, JSON.stringify({ object: 'whatsapp_business_account', entry }));
  };
  it.each([
    ['in order', [0, 1, 2]],
    ['newest first', [2, 1, 0]],
    ['with repetitions', [0, 1, 0, 2, 1, 0]],
  ])('leave the newest of three in force when they arrive %s', async (_, order) => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    const decisions = [
      { event: 'APPROVED', time: secondsAgo(30) },
      { event: 'PAUSED', time: secondsAgo(20) },
      { event: 'REJECTED', time: secondsAgo(10) },
    ];
    for (const index of order) {
      const { event, time } = decisions[index] ?? { event: '', time: 0 };
      await reportAt(account, meta_template_id, event, time);
    }
    const { body } = await account.api.get<{ template: unknown }>(`${LIST}${template_id}`);
    expect(body.template).toMatchObject({ status: 'REJECTED', rejection_reason: 'SCAM' });
  });

  it('change nothing when they are older than what a sync has read', async () => {
    const account = await world.account();
    const { template_id, meta_template_id } = await create(account);
    const rejected = secondsAgo(3600);
    await reportAt(account, meta_template_id, 'REJECTED', rejected);
    await world.simulator.review(meta_template_id, 'approve', undefined, false);
    expect((await account.api.post(SYNC)).status).toBe(200);
    await reportAt(account, meta_template_id, 'REJECTED', rejected);
    const { body } = await account.api.get<{ template: unknown }>(`${LIST}${template_id}`);
    expect(body.template).toMatchObject({ status: 'APPROVED', rejection_reason: null });
  });

  it('are not missed when made before the creation is answered', async () => {
    await world.simulator.behave({ review: 'auto', review_delay_ms: 0 });
    const account = await world.account();
    for (let index = 0; index < 20; index += 1) await create(account, `order_${index}`);
    await world.simulator.behave({ review: 'manual' });
    // Only callbacks and the creations can have set it: the list is read once, without a poll.
    await world.unitOfWork.autocommit.affected(
      `INSERT INTO template_reviews (account_id, waba_id, looked_at) VALUES ($1, $2, now() + interval '1 hour')`,
      [account.accountId, account.phone.wabaId],
    );
    await until('all are approved', async () => {
      const { body } = await account.api.get<Listed>(`${LIST}?status=APPROVED`);
      return body.total === 20;
    });
    expect(await looks(account)).toBe(0);
  });

  it('do not fail the list when they cannot be stored', async () => {
    const account = await world.account();
    await create(account);
    await account.api.get(LIST);
    await forgetLook(account);
    const other = await ForeignSession.open(world.environment.databaseUrl);
    try {
      await other.lock('template_reviews', 'account_id = $1', [account.accountId]);
      const { status, body } = await account.api.get<Listed>(LIST);
      expect([status, body.total]).toEqual([200, 1]);
    } finally {
      await other.release();
      await other.close();
    }
  });

  it('do not fail the list when the network is unavailable', async () => {
    const account = await world.account();
    await create(account);
    await world.unitOfWork.autocommit.affected(
      `UPDATE business_phones SET access_token = 'v1.unknown.x.y' WHERE account_id = $1`,
      [account.accountId],
    );
    const { status, body } = await account.api.get<Listed>(LIST);
    expect([status, body.total]).toEqual([200, 1]);
  });
});

describe('template records', () => {
  let world: World;
  let account: TestAccount;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ review: 'manual' });
    account = await world.account();
    for (const [name, category, language] of [
      ['order_one', 'UTILITY', 'en_US'],
      ['order_two', 'MARKETING', 'en_US'],
      ['order_two', 'MARKETING', 'de'],
      ['sale', 'MARKETING', 'de'],
    ]) {
      const { body } = await account.api.post(CREATE, { name, category, language, body: { text: 'Hi {{1}}, {{2}}' } });
      ids[`${name} ${language}`] = String(body.template_id);
    }
  });
  afterAll(() => world.stop());

  const list = async (query: string): Promise<string[]> => {
    const { body, status } = await account.api.get<Listed>(`${LIST}?${query}`);
    expect(status).toBe(200);
    return [...body.templates.map(({ name, language }) => `${name} ${language}`), `of ${body.total}`];
  };

  it('are listed newest first, all of them without a limit', async () => {
    expect(await list('')).toEqual(['sale de', 'order_two de', 'order_two en_US', 'order_one en_US', 'of 4']);
    expect(await list('limit=3')).toEqual(['sale de', 'order_two de', 'order_two en_US', 'of 4']);
    expect(await list('limit=3&page=2')).toEqual(['order_one en_US', 'of 4']);
    expect(await list('page=2')).toEqual(['of 4']);
  });

  it('are filtered by status, category, language and name', async () => {
    expect(await list('category=UTILITY')).toEqual(['order_one en_US', 'of 1']);
    expect(await list('language=de')).toEqual(['sale de', 'order_two de', 'of 2']);
    expect(await list('search=ORDER_&language=en_US')).toEqual(['order_two en_US', 'order_one en_US', 'of 2']);
    expect(await list('search=%25')).toEqual(['of 0']);
    expect(await list('search=%20order_%20&language=en_US')).toEqual(['order_two en_US', 'order_one en_US', 'of 2']);
    expect(await list('status=APPROVED')).toEqual(['of 0']);
    expect(await list('status=PENDING&search=')).toHaveLength(5);
  });

  it.each(['status=approved', 'category=OTHER', 'limit=0', 'limit=101', 'page=0', 'page=x'])(
    'refuse the filter %s (400)',
    async (query) => {
      expect((await account.api.get(`${LIST}?${query}`)).status).toBe(400);
    },
  );

  it('are read one by one; another account’s do not exist (404)', async () => {
    const id = ids['sale de'];
    const { body } = await account.api.get<{ status: string; template: { name: string } }>(`${LIST}${id}`);
    expect(body).toEqual({ status: 'success', template: expect.objectContaining({ id, name: 'sale' }) });
    const stranger = await world.account();
    expect((await stranger.api.get(`${LIST}${id}`)).status).toBe(404);
    expect((await stranger.api.delete(`${LIST}${id}`)).status).toBe(404);
    expect((await stranger.api.get(LIST)).body).toEqual({ status: 'success', templates: [], total: 0 });
    expect((await account.api.get(`${LIST}x`)).status).toBe(400);
  });

  it('are previewed with missing values listed, whatever their status', async () => {
    const preview = (fields: Record<string, unknown>) => account.api.post('/api/v1/templates/preview', fields);
    const shown = await preview({ template_name: 'order_two', body_data: { '1': 'Ada' } });
    expect(shown.status).toBe(200);
    expect(shown.body).toEqual({
      status: 'success',
      preview: { header: null, body: 'Hi Ada, {{2}}', footer: null, buttons: [], missing: ['body_data.2'] },
    });
    expect((await preview({ template_name: 'none' })).body).toEqual({
      error: 'not_found',
      message: 'template none was not found',
    });
    expect((await preview({ template_name: 'sale', template_language: 'fr' })).body.message).toBe(
      'template sale was not found in fr: it exists in de',
    );
    expect((await preview({})).status).toBe(400);
  });

  it.each([
    [{ body_data: ['a'] }, /^body_data must be an object of strings/],
    [{ body_data: { '1': 5 } }, /^body_data\.1 must be a string/],
    [{ location: ['a'] }, /^location must be an object/],
    [{ location: { latitude: 91, longitude: 0 } }, /^location\.latitude must be a number from -90 to 90 \(got 91\)/],
    [{ button_params: {} }, /^button_params must be an array of objects/],
    [{ button_params: [{ index: 0 }, []] }, /^button_params\[1\] must be an object, not an array \(\[\]\)$/],
    [{ button_params: [{ index: -1 }] }, /^button_params\[0\]\.index must be a whole number from 0 to 9/],
    [{ carousel_data: ['x'] }, /^carousel_data\[0\] must be an object, not a string \("x"\)$/],
    [{ carousel_data: [{ url_button_params: 'x' }] }, /^carousel_data\[0\]\.url_button_params must be an array/],
    [{ expiration_time_ms: 'soon' }, /^expiration_time_ms must be a number, not a string/],
  ])('refuse the preview values %j (400)', async (fields, message) => {
    const refused = await account.api.post('/api/v1/templates/preview', { template_name: 'sale', ...fields });
    expect(refused.status).toBe(400);
    expect(refused.body.message).toMatch(message);
  });

  it('are previewed and read while the account is suspended', async () => {
    const suspended = await world.account();
    await suspended.api.post(CREATE, { name: 'order', category: 'UTILITY', body: { text: 'Hi' } });
    await world.unitOfWork.autocommit.affected(`UPDATE accounts SET status = 'suspended' WHERE id = $1`, [
      suspended.accountId,
    ]);
    await until('creation is refused', async () => {
      const { status } = await suspended.api.post('/api/v1/templates/sync');
      return status === 403;
    });
    expect((await suspended.api.post('/api/v1/templates/preview', { template_name: 'order' })).status).toBe(200);
    expect((await suspended.api.get(LIST)).status).toBe(200);
  });

  it('are deleted on both sides, which frees their name', async () => {
    const fresh = await world.account();
    const template = { name: 'order', category: 'UTILITY', body: { text: 'Hi' } };
    const german = await fresh.api.post(CREATE, { ...template, language: 'de' });
    const created = await fresh.api.post(CREATE, template);
    const deleted = await fresh.api.delete(`${LIST}${created.body.template_id}`);
    expect(deleted.status).toBe(200);
    expect(deleted.body).toEqual({
      status: 'success',
      message: 'Template deleted',
      template_id: created.body.template_id,
    });
    expect((await fresh.api.get(`${LIST}${created.body.template_id}`)).status).toBe(404);
    expect((await fresh.api.delete(`${LIST}${created.body.template_id}`)).status).toBe(404);
    expect((await fresh.api.get<Listed>(LIST)).body.templates.map(({ id }) => id)).toEqual([german.body.template_id]);
    expect((await fresh.api.post(CREATE, template)).status).toBe(201);
  });
});
