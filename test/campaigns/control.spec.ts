import { AccountDirectoryService } from '../../src/accounts/account-directory.service.js';
import { newRecordId } from '../../src/values/record-id.js';
import { eventsOf } from '../messages/messages.js';
import { ApiClient } from '../support/api-client.js';
import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import {
  act,
  balanceOf,
  type CampaignRecord,
  campaignOf,
  draft,
  expectBooksBalanced,
  hurry,
  listedCampaign,
  PATIENT,
  pathOf,
  recipientsOf,
  sentTo,
  started,
  untilCampaign,
  untilIdle,
} from './campaigns.js';

const CREDITS = 1000;
const ACTIONS = ['cancel', 'pause', 'resume', 'retry-failed'] as const;

let world: World;
let account: TestAccount;
let template: { name: string; id: string };

beforeAll(async () => {
  world = await World.start({ env: PATIENT });
  await world.simulator.behave({ statuses: [] });
});
beforeEach(async () => {
  account = await world.account({ credits: CREDITS, throughput: 5 });
  template = await approvedTemplate(world, account);
});
afterEach(() => world.simulator.behave({ error: null }));
afterAll(() => world.stop());

const change = (sql: string, ...parameters: unknown[]) => world.unitOfWork.autocommit.affected(sql, parameters);
const setState = (id: string, status: string, paused = false) =>
  change(
    'UPDATE campaigns SET status = $3, paused = $4 WHERE account_id = $1 AND id = $2',
    account.accountId,
    id,
    status,
    paused,
  );
const untilSomeSent = (id: string) =>
  until('something was sent', async () => (await campaignOf(account, id)).sent_count > 0);
/** Starts a campaign that a phone error stops. */
const stopped = async (recipients: number | readonly string[]): Promise<string> => {
  await world.simulator.behave({ error: { code: 190, rate: 1 } });
  const id = await started(account, template.name, recipients);
  await untilCampaign(account, id, 'failed');
  await untilIdle(world, account);
  await hurry(world, account);
  await world.simulator.behave({ error: null });
  return id;
};

describe('reading campaigns', () => {
  const list = (query = '') =>
    account.api.get<{ campaigns: CampaignRecord[]; total: number }>(`/api/v1/campaigns/${query}`);

  it('lists campaigns newest first, page by page, with their counters', async () => {
    const sent = await started(account, template.name, 2);
    await untilCampaign(account, sent, 'completed');
    const drafts = [await draft(account, template.name, 1), await draft(account, template.name, 1)];
    const { body } = await list();
    expect(body.campaigns.map(({ campaign_id }) => campaign_id)).toEqual([...drafts.toReversed(), sent]);
    expect(body.campaigns[2]).toEqual(await listedCampaign(account, sent));
    expect(body.campaigns[2]).toMatchObject({ sent_count: 2 });
    const second = await list('?limit=2&page=2');
    expect(second.body).toMatchObject({ campaigns: [{ campaign_id: sent }], total: 3, page: 2, limit: 2 });
  });

  it('filters by status and rejects an unknown status (400)', async () => {
    await draft(account, template.name, 1);
    const id = await draft(account, template.name, 1);
    await act(account, id, 'cancel');
    expect((await list('?status=cancelled')).body).toMatchObject({ campaigns: [{ campaign_id: id }], total: 1 });
    expect(await list('?status=over')).toMatchObject({
      status: 400,
      body: {
        error: 'bad_request',
        message: 'status must be one of draft, scheduled, running, completed, cancelled, failed (got over)',
      },
    });
  });

  it('shows all fields of a campaign', async () => {
    const content = { description: 'Leaves', body_data: { 1: 'Ada' }, header_data: { 1: 'Hi' }, filename: 'a.pdf' };
    const id = await draft(account, template.name, 3, content);
    // No single template takes all of these.
    await change(
      'UPDATE campaigns SET content = content || $3 WHERE account_id = $1 AND id = $2',
      account.accountId,
      id,
      JSON.stringify({
        buttonParams: [{ index: 0, urlParam: 'x', payload: null, couponCode: null }],
        location: { latitude: 1, longitude: 2, name: 'Here', address: null },
        carouselData: [{ mediaUrl: 'https://example.com/a.png', urlButtonParams: ['a'], buttonPayloads: [] }],
      }),
    );
    const { status, body } = await account.api.get(pathOf(id));
    expect(status).toBe(200);
    expect(body).toEqual({
      status: 'success',
      campaign: {
        campaign_id: id,
        name: 'Autumn',
        ...content,
        button_params: [{ index: 0, url_param: 'x' }],
        location: { latitude: 1, longitude: 2, name: 'Here' },
        carousel_data: [{ media_url: 'https://example.com/a.png', url_button_params: ['a'], button_payloads: [] }],
        template_name: template.name,
        template_language: 'en_US',
        waba_phone_id: account.phone.id,
        media_url: null,
        media_id: null,
        expiration_time_ms: null,
        scheduled_timezone: null,
        send_window: null,
        send_before: null,
        max_failure_percent: 50,
        held_count: 0,
        waiting_until: null,
        waiting_reason: null,
        campaign_status: 'draft',
        paused: false,
        paused_at: null,
        paused_by: null,
        failure_reason: null,
        total_contacts: 3,
        sent_count: 0,
        delivered_count: 0,
        read_count: 0,
        clicked_count: 0,
        failed_count: 0,
        replied_count: 0,
        success_count: 3,
        created_at: expect.any(String),
        scheduled_at: null,
        started_at: null,
        completed_at: null,
        created_by: { user_id: expect.any(String), name: expect.any(String), source: 'api' },
        started_by: null,
        group_names: [],
        left_out: { invalid_phones: 0, duplicates: 0 },
        rate_per_second: null,
        seconds_left: null,
      },
    });
  });

  it('returns 404 for an unknown or foreign id and 400 for a malformed one, on every route', async () => {
    const theirs = await world.account();
    const id = await draft(account, template.name, 1);
    const routes = ['', '/stats', '/recipients', '/recipients.csv', '/failures', '/progress'].map(
      (rest) => ['GET', rest] as const,
    );
    for (const [method, rest] of [...routes, ...ACTIONS.map((action) => ['POST', `/${action}`] as const)]) {
      const ask = (each: string) => theirs.api.request<Record<string, unknown>>(method, pathOf(each, rest));
      const unknown = newRecordId();
      for (const each of [id, unknown]) {
        const { status, body } = await ask(each);
        expect([rest, status, body]).toEqual([
          rest,
          404,
          { error: 'not_found', message: `campaign ${each} not found` },
        ]);
      }
      const { status, body } = await ask('nonsense');
      expect([rest, status, body.error]).toEqual([rest, 400, 'bad_request']);
    }
    expect((await theirs.api.get('/api/v1/campaigns/')).body).toMatchObject({ total: 0 });
    expect((await campaignOf(account, id)).campaign_status).toBe('draft');
  });
});

describe('campaign routes', () => {
  const READS = ['', '/stats', '/recipients', '/recipients.csv'];

  it('require campaigns:read to read, campaigns:write to act (403), and a key (401)', async () => {
    const id = newRecordId();
    const reader = await world.account({ scopes: ['campaigns:read'] });
    const writer = await world.account({ scopes: ['campaigns:write'] });
    for (const rest of READS) {
      expect([rest, (await reader.api.get(pathOf(id, rest))).status]).toEqual([rest, 404]);
      expect([rest, (await writer.api.get(pathOf(id, rest))).status]).toEqual([rest, 403]);
    }
    for (const action of ACTIONS) {
      expect([action, (await act(writer, id, action)).status]).toEqual([action, 404]);
      expect([action, (await act(reader, id, action)).status]).toEqual([action, 403]);
    }
    const nobody = new ApiClient(world.baseUrl, null);
    expect((await nobody.get('/api/v1/campaigns/')).status).toBe(401);
    expect((await nobody.post(pathOf(id, '/cancel'))).status).toBe(401);
  });

  it('allow reads and reject every action while the account is suspended (403)', async () => {
    const id = await draft(account, template.name, 1);
    await world.parley.app.get(AccountDirectoryService).suspend(account.accountId);
    await until('the suspension has taken effect', async () => (await act(account, id, 'cancel')).status === 403);
    for (const action of ACTIONS) {
      expect(await act(account, id, action)).toMatchObject({ status: 403, body: { error: 'account_suspended' } });
    }
    for (const rest of READS) expect((await account.api.get(pathOf(id, rest))).status).toBe(200);
  });
});

describe('cancel', () => {
  it.each(['draft', 'scheduled'])('ends a %s campaign for good without moving credits', async (status) => {
    const id = await draft(account, template.name, 2);
    await setState(id, status);
    const answer = await act(account, id, 'cancel');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      status: 'success',
      message: 'Campaign cancelled',
      campaign: await listedCampaign(account, id),
    });
    expect(answer.body.campaign).toMatchObject({ campaign_status: 'cancelled', completed_at: null, failed_count: 0 });
    expect(await recipientsOf(account, id)).toMatchObject([
      { status: 'cancelled', message_id: null, error_code: 900005, retryable: false },
      { status: 'cancelled', message_id: null, error_code: 900005, retryable: false },
    ]);
    expect(await balanceOf(world, account)).toBe(CREDITS);
    expect(await act(account, id, 'send')).toMatchObject({
      status: 400,
      body: { message: 'only a draft campaign can be sent (this one is cancelled)' },
    });
  });

  it('refunds the untouched recipients immediately; the others are sent to once', async () => {
    const id = await started(account, template.name, 400);
    await untilSomeSent(id);
    const { status, body } = await act(account, id, 'cancel');
    expect([status, body.campaign.campaign_status]).toEqual([200, 'cancelled']);
    const cancelled = async () =>
      (await account.api.get<{ total: number }>(pathOf(id, '/recipients?status=cancelled'))).body.total;
    // What was under way may still be cancelled between two of these reads.
    const [before, refunded, after] = [
      await cancelled(),
      (await balanceOf(world, account)) - (CREDITS - 400),
      await cancelled(),
    ];
    expect(refunded).toBeGreaterThanOrEqual(before);
    expect(refunded).toBeLessThanOrEqual(after);
    await expectBooksBalanced(world, account, id, CREDITS);
    const to = await sentTo(world, account, template.name);
    expect(to).toHaveLength(400 - (await cancelled()));
    expect(new Set(to).size).toBe(to.length);
    expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'cancelled', failed_count: 0 });
  });

  it('ends the messages that wait for a retry as unsent and counts none as failed', async () => {
    // All five are claimed together.
    account = await world.account({ credits: CREDITS, throughput: 50 });
    template = await approvedTemplate(world, account);
    await world.simulator.behave({ error: { code: 131016, rate: 1 } });
    const id = await started(account, template.name, 5);
    await until('all wait for a retry', async () => {
      const waiting = await recipientsOf(account, id, '&status=pending');
      return waiting.length === 5 && waiting.every(({ message_id }) => message_id !== null);
    });
    expect((await act(account, id, 'cancel')).status).toBe(200);
    await expectBooksBalanced(world, account, id, CREDITS);
    expect(await balanceOf(world, account)).toBe(CREDITS);
    expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'cancelled', failed_count: 0 });
    const recipients = await recipientsOf(account, id);
    expect(recipients.map(({ status }) => status)).toEqual(Array(5).fill('cancelled'));
    const { body } = await account.api.get<{ messages: Record<string, unknown>[] }>(
      `/api/v1/messages/?campaign_id=${id}`,
    );
    const unsent = { status: 'failed', error_code: 900005 };
    expect(body.messages).toMatchObject(Array(5).fill(unsent));
    const told = { event: 'message.failed', message: { status: 'failed', error_code: 900005 } };
    await eventually(async () => expect(await eventsOf(world, account)).toMatchObject(Array(5).fill(told)));
    expect(await sentTo(world, account, template.name)).toEqual([]);
  });
});

describe('pause and resume', () => {
  it('hold a running campaign, and let it continue with the remaining recipients', async () => {
    const id = await started(account, template.name, 300);
    await untilSomeSent(id);
    const paused = await act(account, id, 'pause');
    expect(paused).toMatchObject({
      status: 200,
      body: {
        message: 'Campaign paused',
        campaign: {
          campaign_status: 'running',
          paused: true,
          paused_at: expect.any(String),
          paused_by: { user_id: account.ownerId, name: expect.any(String), source: 'api' },
        },
      },
    });
    await untilIdle(world, account);
    const { length } = await sentTo(world, account, template.name);
    expect(length).toBeLessThan(300);
    await hurry(world, account);
    // Another campaign of the account is sent in the meantime.
    const { name } = await approvedTemplate(world, account);
    await untilCampaign(account, await started(account, name, 10), 'completed');
    expect(await sentTo(world, account, template.name)).toHaveLength(length);
    expect(await act(account, id, 'resume')).toMatchObject({
      status: 200,
      body: {
        message: 'Campaign resumed',
        campaign: { campaign_status: 'running', paused: false, paused_at: null, paused_by: null },
      },
    });
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 300, paused: false });
    const to = await sentTo(world, account, template.name);
    expect(new Set(to).size).toBe(300);
    expect(to).toHaveLength(300);
    await expectBooksBalanced(world, account, id, CREDITS - 10);
  });

  it('continue a stopped campaign once its reason is gone and its credits are available again', async () => {
    const phones = Array.from({ length: 200 }, () => uniquePhone());
    const id = await stopped(phones);
    const { failed_count, failure_reason } = await campaignOf(account, id);
    expect(failed_count).toBeLessThan(200);
    expect(failure_reason).toContain('Resume the campaign once');
    await until('all credits are back', async () => (await balanceOf(world, account)) === CREDITS);

    await change("UPDATE templates SET status = 'PENDING' WHERE account_id = $1", account.accountId);
    expect(await act(account, id, 'resume')).toMatchObject({ status: 400, body: { error: 'bad_request' } });
    await change("UPDATE templates SET status = 'APPROVED' WHERE account_id = $1", account.accountId);

    const left = 200 - failed_count;
    await change(
      `INSERT INTO wallet_entries (account_id, id, kind, amount) VALUES ($1, $2, 'charge', $3)`,
      account.accountId,
      newRecordId(),
      left - 1 - CREDITS,
    );
    expect(await act(account, id, 'resume')).toMatchObject({
      status: 400,
      body: { message: `insufficient wallet credits: the campaign needs ${left}, the wallet holds ${left - 1}` },
    });
    expect(await campaignOf(account, id)).toMatchObject({ campaign_status: 'failed', failure_reason });
    await change(
      `INSERT INTO wallet_entries (account_id, id, kind, amount) VALUES ($1, $2, 'credit', 1)`,
      account.accountId,
      newRecordId(),
    );
    expect(await act(account, id, 'resume')).toMatchObject({
      status: 200,
      body: { campaign: { campaign_status: 'running', failure_reason: null } },
    });
    await untilCampaign(account, id, 'completed');
    expect(await campaignOf(account, id)).toMatchObject({ sent_count: left, failed_count });
    expect((await sentTo(world, account, template.name)).sort()).toEqual(phones.slice(failed_count).sort());
    expect(await balanceOf(world, account)).toBe(0);
  });

  it('start a campaign that could not start at its scheduled time', async () => {
    const id = await draft(account, template.name, 2);
    await change(
      `WITH stopped AS (
         UPDATE campaigns SET status = 'failed', failure_reason = 'no credits' WHERE account_id = $1 AND id = $2
       )
       UPDATE campaign_recipients SET credit_returned = true WHERE account_id = $1 AND campaign_id = $2`,
      account.accountId,
      id,
    );
    expect((await act(account, id, 'resume')).status).toBe(200);
    expect(await untilCampaign(account, id, 'completed')).toMatchObject({ sent_count: 2, failure_reason: null });
    await expectBooksBalanced(world, account, id, CREDITS);
  });
});

describe('a campaign in another state', () => {
  const REFUSED: Record<(typeof ACTIONS)[number], [message: string, states: string[]]> = {
    cancel: ['only a draft, scheduled or running campaign can be cancelled', ['completed', 'cancelled', 'failed']],
    pause: [
      'only a running campaign can be paused',
      ['draft', 'scheduled', 'paused', 'completed', 'cancelled', 'failed'],
    ],
    resume: [
      'only a paused or failed campaign can be resumed',
      ['draft', 'scheduled', 'running', 'completed', 'cancelled'],
    ],
    'retry-failed': [
      'failed recipients can be retried once the campaign is completed or failed',
      ['draft', 'scheduled', 'running', 'paused', 'cancelled'],
    ],
  };

  it.each(ACTIONS)('rejects %s (400) naming its status, and does not change', async (action) => {
    const id = await draft(account, template.name, 1);
    // Without due recipients no worker sends it, and without pending retries none completes it.
    await change(
      `UPDATE campaign_recipients SET due_at = now() + interval '1 hour' WHERE account_id = $1 AND campaign_id = $2`,
      account.accountId,
      id,
    );
    const [message, states] = REFUSED[action];
    for (const state of states) {
      await setState(id, state === 'paused' ? 'running' : state, state === 'paused');
      const before = await campaignOf(account, id);
      expect(await act(account, id, action)).toMatchObject({
        status: 400,
        body: { error: 'bad_request', message: `${message} (this one is ${state})` },
      });
      expect(await campaignOf(account, id)).toEqual(before);
    }
    expect(await balanceOf(world, account)).toBe(CREDITS);
    await setState(id, 'cancelled');
  });
});

describe('an action with an Idempotency-Key', () => {
  it.each([
    ['cancel', 'running'],
    ['pause', 'running'],
    ['resume', 'failed'],
  ] as const)('%s is done once, and repeats get the first answer', async (action, state) => {
    const id = await draft(account, template.name, 1);
    await change(
      `UPDATE campaign_recipients SET due_at = now() + interval '1 hour', credit_returned = $3
       WHERE account_id = $1 AND campaign_id = $2`,
      account.accountId,
      id,
      state === 'failed',
    );
    await setState(id, state);
    const headers = { 'idempotency-key': 'once' };
    const ask = () => account.api.post(pathOf(id, `/${action}`), undefined, { headers });
    const [first, second] = [await ask(), await ask()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    await setState(id, 'cancelled');
  });
});
