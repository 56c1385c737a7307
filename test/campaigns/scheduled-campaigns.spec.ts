import type { CreateCampaignResponse } from '../../src/campaigns/dto/create-campaign.dto.js';
import { crowdOf } from '../support/crowd.js';
import { workerDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { act as actOn, badRequest, balanceOf, PATIENT, untilCampaign } from './campaigns.js';

type Fields = Record<string, unknown>;

interface Stats extends Fields {
  readonly campaign_status: string;
  readonly scheduled_at: string | null;
  readonly started_at: string | null;
}

const LATER = '2099-01-31T09:00:00Z';
/** Zones with clock changes in both hemispheres, by half an hour, and at midnight. */
const LEFT_OUT = [
  ['Europe/Berlin', '2099-03-29T02:30:00'],
  ['America/New_York', '2099-03-08T02:00'],
  ['Australia/Sydney', '2099-10-04T02:59:59'],
  ['Australia/Lord_Howe', '2099-10-04T02:15'],
  ['America/Santiago', '2098-09-07T00:30'],
] as const;
const TWICE = [
  ['Europe/Berlin', '2099-10-25T02:30:00', '2099-10-25T00:30:00.000Z'],
  ['America/New_York', '2099-11-01T01:30', '2099-11-01T05:30:00.000Z'],
  ['Australia/Sydney', '2099-04-05T02:30', '2099-04-04T15:30:00.000Z'],
  ['Australia/Lord_Howe', '2099-04-05T01:45', '2099-04-04T14:45:00.000Z'],
] as const;

describe('a scheduled campaign', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string; id: string };

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
    await world.simulator.behave({ statuses: [] });
  });
  beforeEach(async () => {
    account = await world.account({ credits: 100 });
    template = await approvedTemplate(world, account);
  });
  afterAll(() => world.stop());

  const create = (fields: Fields, from = account) =>
    from.api.post<CreateCampaignResponse & { message: string }>('/api/v1/campaigns/', {
      name: 'Later',
      template_name: template.name,
      contacts: [{ phone: uniquePhone() }],
      ...fields,
    });
  const scheduled = async (fields: Fields = {}, from = account): Promise<string> => {
    const { status, body, text } = await create({ scheduled_at: LATER, ...fields }, from);
    if (status !== 200) throw new Error(text);
    return body.campaign_id;
  };
  const refused = async (fields: Fields) => {
    const { status, body } = await create(fields);
    return { status, message: body.message };
  };
  const stats = async (id: string, from = account): Promise<Stats> =>
    (await from.api.get<Stats>(`/api/v1/campaigns/${id}/stats`)).body;
  const untilStatus = (id: string, status: string, from = account): Promise<Stats> =>
    until(`the campaign is ${status}`, async () => {
      const found = await stats(id, from);
      return found.campaign_status === status ? found : null;
    });
  /** Makes scheduled campaigns due. */
  const due = (...ids: string[]) =>
    world.unitOfWork.autocommit.affected('UPDATE campaigns SET scheduled_at = now() WHERE id = ANY ($1::uuid[])', [
      ids,
    ]);
  const reasonOf = async (id: string): Promise<string | null> => {
    await untilStatus(id, 'failed');
    const row = await world.unitOfWork.autocommit.row<{ failureReason: string }>(
      'SELECT failure_reason FROM campaigns WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    return row?.failureReason ?? null;
  };
  const movements = async (): Promise<unknown[]> => {
    const rows = await world.unitOfWork.autocommit.rows<{ kind: string; amount: number }>(
      'SELECT kind, amount::integer FROM wallet_entries WHERE account_id = $1 ORDER BY id',
      [account.accountId],
    );
    return rows.map(({ kind, amount }) => [kind, amount]);
  };
  const sentTo = async (): Promise<string[]> => {
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    return ledger.map(({ to }) => to).sort();
  };

  describe('when it is created', () => {
    it('waits for its time and rejects a manual send (400)', async () => {
      const { body } = await create({ scheduled_at: LATER, scheduled_timezone: 'Europe/Berlin' });
      expect(body).toMatchObject({
        status_value: 'scheduled',
        message: 'Campaign created as scheduled for 1 contacts',
      });
      expect(await stats(body.campaign_id)).toMatchObject({
        campaign_status: 'scheduled',
        scheduled_at: '2099-01-31T09:00:00.000Z',
        started_at: null,
      });
      const sent = await account.api.post(`/api/v1/campaigns/${body.campaign_id}/send`);
      expect({ status: sent.status, message: sent.body['message'] }).toEqual(
        badRequest('the campaign is scheduled and will be sent automatically at its scheduled time'),
      );
      expect(await movements()).toEqual([['credit', 100]]);
    });

    it.each([
      [{ scheduled_at: '2099-07-01T09:00' }, '2099-07-01T09:00:00.000Z'],
      [{ scheduled_at: '2099-07-01T09:00', scheduled_timezone: 'Europe/Berlin' }, '2099-07-01T07:00:00.000Z'],
      [{ scheduled_at: '2099-07-01T09:00', scheduled_timezone: 'Asia/Kathmandu' }, '2099-07-01T03:15:00.000Z'],
      [{ scheduled_at: '2099-07-01T09:00-03:00', scheduled_timezone: 'Europe/Berlin' }, '2099-07-01T12:00:00.000Z'],
      [{ scheduled_at: '2099-07-01T09:00:30.250Z' }, '2099-07-01T09:00:30.250Z'],
    ])('for %j, starts at %s', async (fields, at) => {
      expect(await stats(await scheduled(fields))).toMatchObject({ scheduled_at: at });
    });

    it.each(LEFT_OUT)('is 400 in %s for %s, which the clocks leave out', async (scheduled_timezone, scheduled_at) => {
      expect(await refused({ scheduled_at, scheduled_timezone })).toEqual(
        badRequest(
          `scheduled_at ${scheduled_at} does not exist in ${scheduled_timezone}: the clocks skip it when they change. ` +
            'Choose a time an hour later',
        ),
      );
    });

    it.each(TWICE)('in %s takes the first of two occurrences of %s: %s', async (scheduled_timezone, local, at) => {
      expect(await stats(await scheduled({ scheduled_at: local, scheduled_timezone }))).toMatchObject({
        scheduled_at: at,
      });
    });

    it.each<[Fields, string | RegExp]>([
      [{ scheduled_at: 'tomorrow' }, /^scheduled_at must be an ISO 8601 date and time, .* \(got tomorrow\)$/],
      [{ scheduled_at: '2099-02-29T09:00' }, /^scheduled_at must be an ISO 8601 date and time/],
      [{ scheduled_at: '2099-01-31' }, /^scheduled_at must be an ISO 8601 date and time/],
      [{ scheduled_at: 4_073_000_000_000 }, 'scheduled_at must be a string, not a number (4073000000000)'],
      [{ scheduled_at: [] }, 'scheduled_at must be a string, not an array ([])'],
      [
        { scheduled_at: LATER, scheduled_timezone: 'Mars/Olympus' },
        'scheduled_timezone must be an IANA time zone, such as Europe/Berlin (got Mars/Olympus)',
      ],
      [{ scheduled_timezone: '+01:00' }, /^scheduled_timezone must be an IANA time zone/],
      [{ scheduled_timezone: 1 }, 'scheduled_timezone must be a string, not a number (1)'],
      [{ scheduled_at: '2020-01-01T09:00' }, /^scheduled_at must be in the future \(got 2020-01-01T09:00, which is/],
    ])('%j is 400', async (fields, message) => {
      expect(await refused(fields)).toEqual(badRequest(message));
    });

    it('reads a time without an offset in its zone: an hour that has passed there is in the past', async () => {
      const clock = (ahead: number): string => new Date(Date.now() + ahead * 3_600_000).toISOString().slice(0, -1);
      // Honolulu is ten hours behind UTC, Tokyo nine ahead.
      expect(await refused({ scheduled_at: clock(8), scheduled_timezone: 'Asia/Tokyo' })).toEqual(
        badRequest(/^scheduled_at must be in the future/),
      );
      expect((await create({ scheduled_at: clock(-9), scheduled_timezone: 'Pacific/Honolulu' })).status).toBe(200);
    });

    it.each([
      [{ send_before: LATER }, '2099-01-31T09:00:00.000Z'],
      [{ send_before: '2099-01-31T08:59:59Z' }, '2099-01-31T08:59:59.000Z'],
      [{ send_before: '2099-01-31T09:30', scheduled_timezone: 'Europe/Berlin' }, '2099-01-31T08:30:00.000Z'],
    ])('is 400 with %j, when nobody would be sent to', async (fields, at) => {
      expect(await refused({ scheduled_at: LATER, ...fields })).toEqual(
        badRequest(`send_before must be later than scheduled_at (got ${at} and 2099-01-31T09:00:00.000Z)`),
      );
      expect((await create({ scheduled_at: LATER, send_before: '2099-01-31T09:00:01Z' })).status).toBe(200);
    });

    it('is a draft when scheduled_at is null', async () => {
      const { body } = await create({ scheduled_at: null, scheduled_timezone: null });
      expect(body.status_value).toBe('draft');
    });

    it('is rejected when its offer expires before it starts (400)', async () => {
      template = await approvedTemplate(world, account, {
        category: 'MARKETING',
        limited_time_offer: { text: 'Ends soon' },
        offer_code: 'SAVE10',
        buttons: [{ type: 'COPY_CODE', text: 'Copy' }],
      });
      const expires = Date.parse('2099-01-31T09:00:00Z');
      const fields = { expiration_time_ms: expires, scheduled_at: LATER };
      expect(await refused(fields)).toEqual(badRequest(/^expiration_time_ms must be later than the send time/));
      expect((await create({ ...fields, expiration_time_ms: expires + 1 })).status).toBe(200);
      expect((await create({ expiration_time_ms: expires })).status).toBe(200);
    });
  });

  describe('at its time', () => {
    it('reserves its credits and sends itself', async () => {
      const phones = [uniquePhone(), uniquePhone()];
      const id = await scheduled({ contacts: phones.map((phone) => ({ phone })) });
      await world.unitOfWork.autocommit.affected(
        "UPDATE campaigns SET scheduled_at = now() + interval '1 second' WHERE account_id = $1 AND id = $2",
        [account.accountId, id],
      );
      const { scheduled_at, started_at } = await untilStatus(id, 'completed');
      expect(Date.parse(String(started_at))).toBeGreaterThanOrEqual(Date.parse(String(scheduled_at)));
      expect(await sentTo()).toEqual(phones.sort());
      expect(await movements()).toEqual([
        ['credit', 100],
        ['reserve', -2],
      ]);
    });

    it('starts once with several workers', async () => {
      const env = { ...PATIENT, PARLEY_ROLES: 'worker', NETWORK_BASE_URL: world.environment.network.baseUrl };
      const others: World[] = [];
      try {
        for (const _ of [1, 2]) others.push(await World.start({ env }));
        const phones = Array.from({ length: 30 }, () => uniquePhone());
        const ids = await crowdOf(phones, (phone) => scheduled({ contacts: [{ phone }] }));
        await due(...ids);
        await until('all are completed', async () => {
          const rows = await world.unitOfWork.autocommit.rows(
            "SELECT FROM campaigns WHERE account_id = $1 AND status = 'completed'",
            [account.accountId],
          );
          return rows.length === ids.length;
        });
        expect(await sentTo()).toEqual(phones.sort());
        expect(await movements()).toEqual([['credit', 100], ...phones.map(() => ['reserve', -1])]);
      } finally {
        await Promise.all(others.map((other) => other.stop()));
      }
    });

    it('does not start once cancelled', async () => {
      const [cancelled, other] = [await scheduled(), await scheduled()];
      await world.unitOfWork.autocommit.affected(
        "UPDATE campaigns SET status = 'cancelled' WHERE account_id = $1 AND id = $2",
        [account.accountId, cancelled],
      );
      await due(cancelled, other);
      await untilStatus(other, 'completed');
      expect(await stats(cancelled)).toMatchObject({ campaign_status: 'cancelled' });
    });
  });

  describe('that fails its checks', () => {
    it('fails for lack of credits, takes none, and says what to do; other due campaigns start', async () => {
      const poor = await scheduled({ contacts: Array.from({ length: 101 }, () => ({ phone: uniquePhone() })) });
      const phone = uniquePhone();
      const other = await scheduled({ contacts: [{ phone }] });
      await due(poor, other);
      expect(await reasonOf(poor)).toMatch(
        /^insufficient wallet credits: the campaign needs 101, the wallet holds \d+\. Add credits to the wallet, then resume/,
      );
      await untilStatus(other, 'completed');
      expect(await sentTo()).toEqual([phone]);
      expect(await movements()).toEqual([
        ['credit', 100],
        ['reserve', -1],
      ]);
    });

    it('fails when its account is suspended', async () => {
      const id = await scheduled();
      await world.unitOfWork.autocommit.affected("UPDATE accounts SET status = 'suspended' WHERE id = $1", [
        account.accountId,
      ]);
      await due(id);
      expect(await reasonOf(id)).toBe('the account is suspended. Have it activated, then resume the campaign');
      expect(await movements()).toEqual([['credit', 100]]);
    });

    it('fails when its template is no longer approved', async () => {
      const id = await scheduled();
      await world.unitOfWork.autocommit.affected(
        "UPDATE templates SET status = 'REJECTED', network_status = 'DISABLED' WHERE account_id = $1 AND id = $2",
        [account.accountId, template.id],
      );
      await due(id);
      expect(await reasonOf(id)).toMatch(
        /is not approved: its status is REJECTED .*\. Resume the campaign once the template can be sent/,
      );
    });

    it('fails when the template requires values that it lacks', async () => {
      const id = await scheduled();
      await world.unitOfWork.autocommit.affected(
        'UPDATE templates SET components = $3 WHERE account_id = $1 AND id = $2',
        [account.accountId, template.id, JSON.stringify([{ type: 'BODY', text: 'Hello {{1}}' }])],
      );
      await due(id);
      expect(await reasonOf(id)).toMatch(/requires body_data\.1\. The template has changed/);
    });
  });

  it('starts on time although another account’s row is locked', async () => {
    const other = await world.account();
    const { name } = await approvedTemplate(world, other);
    const [locked, free] = [await scheduled(), await scheduled({ template_name: name }, other)];
    const foreign = await ForeignSession.open(await workerDatabase());
    try {
      await foreign.lock('accounts', 'id = $1', [account.accountId]);
      await due(locked, free);
      await untilStatus(free, 'completed', other);
    } finally {
      await foreign.close();
    }
    await untilStatus(locked, 'completed');
    expect(await sentTo()).toHaveLength(1);
  });
});

describe('a campaign that came due while no worker was running', () => {
  let api: World;
  let account: TestAccount;
  let name: string;

  beforeAll(async () => {
    api = await World.start({ env: { PARLEY_ROLES: 'api' } });
    account = await api.account({ credits: 100 });
    ({ name } = await approvedTemplate(api, account));
  });
  afterAll(() => api.stop());

  const overdue = async (hours: number, more: Fields = {}): Promise<string> => {
    const { body } = await account.api.post('/api/v1/campaigns/', {
      name: 'Overdue',
      template_name: name,
      contacts: [{ phone: uniquePhone() }],
      scheduled_at: LATER,
      ...more,
    });
    const id = String(body['campaign_id']);
    await api.unitOfWork.autocommit.affected(
      `UPDATE campaigns SET scheduled_at = now() - $3::float8 * interval '1 hour',
              send_before = CASE WHEN send_before IS NOT NULL THEN now() - interval '1 hour' END
       WHERE account_id = $1 AND id = $2`,
      [account.accountId, id, hours],
    );
    return id;
  };
  const whileWorking = async (work: () => Promise<void>): Promise<void> => {
    const worker = await World.start({
      env: { ...PATIENT, PARLEY_ROLES: 'worker', NETWORK_BASE_URL: api.environment.network.baseUrl },
    });
    try {
      await work();
    } finally {
      await worker.stop();
    }
  };

  it('is sent once a worker starts, but not after 6 hours: then it fails, and resume sends it', async () => {
    const [late, tooLate, over] = [
      await overdue(5.5),
      await overdue(72),
      await overdue(72, { send_before: '2099-02-01T00:00:00Z' }),
    ];
    await whileWorking(async () => {
      await untilCampaign(account, late, 'completed');
      const failed = await untilCampaign(account, tooLate, 'failed');
      expect(failed.failure_reason).toMatch(
        /^the campaign was scheduled for \S+Z, but the service was away and found it at \S+Z, more than 6 hours later\. Resume the campaign to send it now, or create another one$/,
      );
      expect((await untilCampaign(account, over, 'failed')).failure_reason).toMatch(
        /Its deadline has passed, too: create another one$/,
      );
      expect(await api.simulator.ledger(account.phone.phoneNumberId)).toHaveLength(1);
      expect(await balanceOf(api, account)).toBe(99);
      expect((await actOn(account, over, 'resume')).body.message).toMatch(/^send_before must be in the future/);
      expect((await actOn(account, tooLate, 'resume')).status).toBe(200);
      await untilCampaign(account, tooLate, 'completed');
      expect(await api.simulator.ledger(account.phone.phoneNumberId)).toHaveLength(2);
      expect(await balanceOf(api, account)).toBe(98);
    });
  });
});
