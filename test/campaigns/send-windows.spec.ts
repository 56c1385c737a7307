import { approvedTemplate } from '../support/templates.js';
import { eventually, until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, World } from '../support/world.js';
import { balanceOf, PATIENT } from './campaigns.js';

const HOURS = 3_600_000;

/** The local time of a zone some hours from now, as `HH:MM`. */
const clock = (timeZone: string, hours: number): string =>
  new Date(Date.now() + hours * HOURS).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
const hoursFrom = (timeZone: string, from: number, to: number) => ({
  from: clock(timeZone, from),
  to: clock(timeZone, to),
});
const inHours = (hours: number): string => new Date(Date.now() + hours * HOURS).toISOString();
const tokyoPhone = (): string => `8190${uniquePhone().slice(-8)}`;

describe('the send window and deadline of a campaign', () => {
  let world: World;
  let account: TestAccount;
  let template: { name: string };

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
    account = await world.account();
    template = await approvedTemplate(world, account);
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(() => world.stop());

  const create = (phones: string[], fields: Record<string, unknown>) =>
    account.api.post('/api/v1/campaigns/', {
      name: 'Timed',
      template_name: template.name,
      contacts: phones.map((phone) => ({ phone })),
      ...fields,
    });
  const start = async (phones: string[], fields: Record<string, unknown>): Promise<string> => {
    const created = await create(phones, fields);
    expect(created.status).toBe(200);
    const id = String(created.body['campaign_id']);
    expect((await account.api.post(`/api/v1/campaigns/${id}/send`)).status).toBe(202);
    return id;
  };
  const stats = async (id: string) => (await account.api.get(`/api/v1/campaigns/${id}/stats`)).body;
  const completed = (id: string) =>
    until('it is completed', async () => {
      const now = await stats(id);
      return now['campaign_status'] === 'completed' && now;
    });
  const change = (sql: string, id: string, ...more: unknown[]) =>
    world.unitOfWork.autocommit.affected(sql, [account.accountId, id, ...more]);
  const stored = async (id: string) => {
    const row = await world.unitOfWork.autocommit.row<{ opensAt: Date | null; closesAt: Date | null }>(
      'SELECT opens_at, closes_at FROM campaigns WHERE account_id = $1 AND id = $2',
      [account.accountId, id],
    );
    return { opensAt: row?.opensAt ?? null, closesAt: row?.closesAt ?? null };
  };
  const states = async (id: string) => {
    const rows = await world.unitOfWork.autocommit.rows<{ state: string }>(
      'SELECT state FROM campaign_recipients WHERE account_id = $1 AND campaign_id = $2 ORDER BY position',
      [account.accountId, id],
    );
    return rows.map(({ state }) => state);
  };
  const sentTo = async (phones: string[]) => {
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    return ledger.map(({ to }) => to).filter((to) => phones.includes(to));
  };
  const balance = () => balanceOf(world, account);
  /** Simulates that another time has come, by other hours. */
  const openFrom = (id: string, timezone: string, ...hours: Parameters<typeof hoursFrom>) =>
    change(
      `UPDATE campaigns SET send_window = $3, closes_at = now() WHERE account_id = $1 AND id = $2`,
      id,
      JSON.stringify({ ...hoursFrom(...hours), timezone }),
    );
  const openNow = (id: string) => openFrom(id, 'UTC', 'UTC', -2, 2);
  const shown = async (id: string) =>
    (await account.api.get<{ campaign: Record<string, unknown> }>(`/api/v1/campaigns/${id}`)).body.campaign;
  const recipient = (id: string) =>
    world.unitOfWork.autocommit.row<{ state: string; attempts: number; dueAt: Date | null }>(
      'SELECT state, attempts, due_at FROM campaign_recipients WHERE account_id = $1 AND campaign_id = $2 ORDER BY position',
      [account.accountId, id],
    );
  /** Waits until the first recipient waits for an opening that is hours away. */
  const held = (id: string) =>
    until('the recipient waits for the next opening', async () => {
      const found = await recipient(id);
      return found?.state === 'pending' && (found.dueAt?.getTime() ?? 0) > Date.now() + HOURS && found;
    });

  it.each([
    [{ send_window: '09:00-20:00' }, 'send_window must be an object'],
    [{ send_window: { to: '20:00' } }, 'send_window.from is required'],
    [{ send_window: { from: '9:00', to: '20:00' } }, 'send_window.from must be a time of day'],
    [{ send_window: { from: '09:00', to: '24:00' } }, 'send_window.to must be a time of day'],
    [{ send_window: { from: '09:00', to: '09:00' } }, 'must differ (both are 09:00)'],
    [{ send_window: { from: '09:00', to: '20:00', timezone: 'Berlin' } }, 'send_window.timezone must be an IANA'],
    [{ send_before: 'tomorrow' }, 'send_before must be an ISO 8601 date and time'],
    [{ send_before: '2020-01-01T00:00:00Z' }, 'send_before must be in the future (got 2020-01-01T00:00:00Z'],
    [
      { send_before: '2035-03-25T02:30:00', scheduled_timezone: 'Europe/Berlin' },
      'send_before 2035-03-25T02:30:00 does not exist in Europe/Berlin',
    ],
    [{ scheduled_timezone: 'Mars/Olympus' }, 'scheduled_timezone must be an IANA time zone'],
  ])('rejects %j (400)', async (fields, message) => {
    const { status, body } = await create([uniquePhone()], fields);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: 'bad_request', message: expect.stringContaining(message) },
    });
  });

  it('sends immediately when open, and defaults to the zone of scheduled_timezone', async () => {
    const phones = [uniquePhone(), uniquePhone()];
    const send_window = hoursFrom('Asia/Kolkata', -2, 2);
    const id = await start(phones, { send_window, scheduled_timezone: 'Asia/Kolkata' });
    expect(await completed(id)).toMatchObject({ sent_count: 2 });
  });

  it('holds the whole campaign until it opens', async () => {
    const phones = [uniquePhone(), uniquePhone()];
    const id = await start(phones, { send_window: { ...hoursFrom('UTC', 2, 3), timezone: 'UTC' } });
    const { opensAt, closesAt } = await stored(id);
    expect(Math.round(((opensAt?.getTime() ?? 0) - Date.now()) / HOURS)).toBe(2);
    expect(Math.round(((closesAt?.getTime() ?? 0) - Date.now()) / HOURS)).toBe(3);
    expect(await stats(id)).toMatchObject({ campaign_status: 'running', sent_count: 0, started_at: null });
    await openNow(id);
    expect(await completed(id)).toMatchObject({ sent_count: 2 });
  });

  it('stays closed from its end until the next opening', async () => {
    const phones = [uniquePhone()];
    const id = await start(phones, { send_window: { ...hoursFrom('UTC', 2, 3), timezone: 'UTC' } });
    // Simulates that it was open until now.
    await change('UPDATE campaigns SET opens_at = NULL, closes_at = now() WHERE account_id = $1 AND id = $2', id);
    await until('it waits again', async () => (await stored(id)).opensAt !== null);
    expect(await sentTo(phones)).toEqual([]);
  });

  it('applies to each recipient in the recipient’s own time zones', async () => {
    const [open, held] = [[tokyoPhone(), tokyoPhone()], [uniquePhone()]];
    const id = await start([...held, ...open], {
      send_window: { ...hoursFrom('Asia/Tokyo', -1, 1), timezone: 'recipient' },
    });
    await until('the open ones are sent', async () => Number((await stats(id))['sent_count']) >= 2);
    expect((await sentTo([...open, ...held])).sort()).toEqual([...open].sort());
    expect(await states(id)).toEqual(['pending', 'claimed', 'claimed']);
    const waiting = { waiting_reason: 'send_window', waiting_until: expect.any(String) };
    await eventually(async () => expect(await shown(id)).toMatchObject(waiting));
    await openFrom(id, 'recipient', 'Europe/Berlin', -2, 2);
    expect(await completed(id)).toMatchObject({ sent_count: 3 });
    expect(await sentTo(held)).toEqual(held);
  });

  it('holds for a recipient that is put back after it has closed, when nobody else is unsent', async () => {
    // The network takes eight seconds to ask for another try in four seconds.
    const phone = `8190${uniqueDigits().slice(-1)}9990006`;
    await world.simulator.behave({ latency_ms: 8000 });
    const id = await start([phone], { send_window: { ...hoursFrom('Asia/Tokyo', -1, 1), timezone: 'recipient' } });
    await until('it is in flight', async () => (await recipient(id))?.state === 'claimed');
    await openFrom(id, 'recipient', 'Asia/Tokyo', 2, 3);
    await world.simulator.behave({ latency_ms: 0 });
    expect(await held(id)).toMatchObject({ attempts: 1 });
    await until('the campaign says so', async () => (await shown(id))['waiting_reason'] === 'send_window');
    expect(await sentTo([phone])).toEqual([]);
    await openFrom(id, 'recipient', 'Asia/Tokyo', -1, 1);
    expect(await completed(id)).toMatchObject({ sent_count: 1, failed_count: 0 });
  });

  it('holds for a recipient who comes to be due outside of it', async () => {
    const [asleep, awake] = [tokyoPhone(), uniquePhone()];
    const id = await start([asleep, awake], {
      send_window: { ...hoursFrom('Europe/Berlin', -1, 1), timezone: 'recipient' },
    });
    await until('the other one is sent', async () => Number((await stats(id))['sent_count']) >= 1);
    // As a race with a plan may leave it.
    await change('UPDATE campaign_recipients SET due_at = NULL WHERE account_id = $1 AND campaign_id = $2', id);
    await change('UPDATE campaigns SET opens_at = NULL WHERE account_id = $1 AND id = $2', id);
    expect(await held(id)).toMatchObject({ attempts: 0 });
    expect(await sentTo([asleep])).toEqual([]);
    await openFrom(id, 'recipient', 'Asia/Tokyo', -1, 1);
    expect(await completed(id)).toMatchObject({ sent_count: 2 });
  });

  it('says nothing of a time after the deadline, or while it is paused', async () => {
    const window = { send_window: { ...hoursFrom('UTC', 2, 3), timezone: 'UTC' } };
    const late = await start([uniquePhone()], { ...window, send_before: inHours(1) });
    expect(await shown(late)).toMatchObject({ waiting_reason: 'send_window', waiting_until: null });
    const paused = await start([uniquePhone()], window);
    const { opensAt } = await stored(paused);
    expect(await shown(paused)).toMatchObject({
      waiting_reason: 'send_window',
      waiting_until: opensAt?.toISOString(),
    });
    expect((await account.api.post(`/api/v1/campaigns/${paused}/pause`)).status).toBe(200);
    expect(await shown(paused)).toMatchObject({ waiting_reason: null, waiting_until: null });
  });

  it.each([
    ['while it runs', false],
    ['while it is paused', true],
  ])('the deadline cancels unsent recipients and refunds them, %s', async (_, paused) => {
    const before = await balance();
    const phones = [uniquePhone(), uniquePhone()];
    const send_window = { ...hoursFrom('UTC', 2, 3), timezone: 'UTC' };
    const id = await start(phones, { send_window, send_before: inHours(1) });
    expect((await stored(id)).closesAt?.getTime()).toBeLessThan(Date.now() + HOURS);
    expect(await balance()).toBe(before - 2);
    await change('UPDATE campaigns SET paused = $3 WHERE account_id = $1 AND id = $2', id, paused);
    await change(`UPDATE campaigns SET send_before = now(), closes_at = now() WHERE account_id = $1 AND id = $2`, id);
    expect(await completed(id)).toMatchObject({ total_contacts: 2, sent_count: 0, failed_count: 0 });
    expect(await states(id)).toEqual(['cancelled', 'cancelled']);
    expect(await balance()).toBe(before);
    expect(await sentTo(phones)).toEqual([]);
  });

  it('the deadline cancels the remaining recipients of a stopped campaign, once', async () => {
    const before = await balance();
    const id = await start([uniquePhone()], {
      send_window: { ...hoursFrom('UTC', 2, 3), timezone: 'UTC' },
      send_before: inHours(1),
    });
    await change(
      `UPDATE campaigns SET status = 'failed', send_before = now(), closes_at = now() WHERE account_id = $1 AND id = $2`,
      id,
    );
    await until('it is cancelled', async () => (await states(id))[0] === 'cancelled');
    expect(await stored(id)).toEqual({ opensAt: null, closesAt: null });
    expect(await balance()).toBe(before);
  });

  it('the deadline blocks a later start (400), and the campaign stays a draft', async () => {
    const { body } = await create([uniquePhone()], { send_before: inHours(1) });
    const id = String(body['campaign_id']);
    await change(`UPDATE campaigns SET send_before = now() WHERE account_id = $1 AND id = $2`, id);
    const sent = await account.api.post(`/api/v1/campaigns/${id}/send`);
    expect(sent).toMatchObject({ status: 400, body: { message: expect.stringContaining('send_before must be in') } });
    expect(await stats(id)).toMatchObject({ campaign_status: 'draft' });
  });

  it('the deadline is read in scheduled_timezone, and everything is sent before it', async () => {
    const { body } = await create([uniquePhone()], {
      send_before: '2035-07-01T12:00',
      scheduled_timezone: 'Asia/Tokyo',
    });
    const row = await world.unitOfWork.autocommit.row<{ sendBefore: Date }>(
      'SELECT send_before FROM campaigns WHERE account_id = $1 AND id = $2',
      [account.accountId, body['campaign_id']],
    );
    expect(row?.sendBefore).toEqual(new Date('2035-07-01T03:00:00Z'));
    const id = await start([uniquePhone()], { send_before: inHours(1) });
    expect(await completed(id)).toMatchObject({ sent_count: 1 });
  });
});
