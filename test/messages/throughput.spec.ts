import { SINGLE_PATIENCE } from '../../src/sending/judge.js';
import { SendPacer } from '../../src/sending/slots/send-pacer.js';
import { Throughput } from '../../src/sending/slots/throughput.js';
import { MINUTE } from '../../src/values/clock.js';
import { crowd } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { sendCampaign } from './campaign-messages.js';
import { SEND } from './messages.js';

/** Errors within so many milliseconds slow a phone down once. */
const ONE_BURST_MS = 500;
/** A slowed phone keeps its speed for so many milliseconds. */
const RECOVERY_MS = 3000;

describe('the throughput of a business phone', () => {
  let world: World;
  let other: World;

  beforeAll(async () => {
    world = await World.start();
    other = await World.start({ env: { PARLEY_ROLES: 'api' } });
    await world.simulator.behave({ statuses: [] });
  });
  afterAll(async () => {
    await other.stop();
    await world.stop();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await world.simulator.behave({ error: null, max_mps: 0 });
  });

  const phoneOf = ({ accountId, phone }: TestAccount, throughput: number) => ({
    accountId,
    id: phone.id,
    throughput,
  });
  const ofProcess = (process: World): Throughput => process.parley.app.get(Throughput);
  /** Lets what the process has booked begin at once, however far ahead its slot is. */
  const withoutWaiting = (process: World): void => {
    const pacer = new SendPacer();
    jest.spyOn(pacer, 'begin').mockImplementation((_messages, _slots, begin) => begin(0));
    jest.spyOn(ofProcess(process), 'pacerOf').mockReturnValue(pacer);
  };
  const slowdownOf = async ({ accountId }: TestAccount): Promise<number | undefined> => {
    const row = await world.unitOfWork.autocommit.row<{ slowdown: number }>(
      'SELECT slowdown FROM phone_throughput WHERE account_id = $1',
      [accountId],
    );
    return row?.slowdown;
  };
  /** Moves the phone's last slowdown and bookings back in time. */
  const letPass = ({ accountId }: TestAccount, interval: string) =>
    world.unitOfWork.autocommit.affected(
      `UPDATE phone_throughput SET slowed_at = slowed_at - $2::interval, next_at = next_at - $2::interval
       WHERE account_id = $1`,
      [accountId, interval],
    );

  it('is shared by all processes', async () => {
    const account = await world.account();
    // Each message takes ten minutes: one process finds the slot that the other booked.
    const phone = phoneOf(account, 1 / 600);
    for (const process of [world, other]) withoutWaiting(process);
    const taken = await Promise.all([world, other].map((process) => ofProcess(process).admitSingle(phone, 0)));
    expect(taken.filter((admitted) => admitted)).toHaveLength(1);
    expect(await ofProcess(other).admitSingle(phone, 0)).toBe(false);
    expect((await ofProcess(other).bookCampaign(phone, 1)).messages).toBe(0);
    await letPass(account, '10 minutes');
    expect(await ofProcess(other).admitSingle(phone, 0)).toBe(true);
    expect(await ofProcess(world).admitSingle(phone, 0)).toBe(false);
  });

  it('is limited per phone', async () => {
    const [one, two] = [await world.account(), await world.account()];
    expect(await ofProcess(world).admitSingle(phoneOf(one, 1), 0)).toBe(true);
    expect(await ofProcess(world).admitSingle(phoneOf(two, 1), 0)).toBe(true);
  });

  it('is unlimited at 0', async () => {
    const account = await world.account();
    const admitted = await crowd(50, () => ofProcess(world).admitSingle(phoneOf(account, 0), 0));
    expect(admitted.every((each) => each)).toBe(true);
    expect(await slowdownOf(account)).toBeUndefined();
  });

  it('prefers single sends to campaigns, which book only a short time ahead', async () => {
    // Each message takes 40 seconds.
    const phone = phoneOf(await world.account(), 1 / 40);
    withoutWaiting(other);
    const booked = async (messages: number) => (await ofProcess(world).bookCampaign(phone, messages)).messages;
    expect(await booked(5)).toBe(1);
    // The phone is booked too far ahead for a campaign, not for a single send.
    expect(await booked(1)).toBe(0);
    expect(await ofProcess(other).admitSingle(phone, MINUTE)).toBe(true);
    expect(await booked(1)).toBe(0);
  });

  it('is respected by single sends of a stalled process', async () => {
    const phone = phoneOf(await world.account(), 20);
    const sentAt: number[] = [];
    const sends = Array.from({ length: 30 }, async () => {
      expect(await ofProcess(world).admitSingle(phone, 5000)).toBe(true);
      sentAt.push(performance.now());
    });
    await until('two are sent', () => sentAt.length >= 2);
    const endsAt = performance.now() + 700;
    while (performance.now() < endsAt);
    await Promise.all(sends);
    const withinSecond = sentAt.map((from) => sentAt.filter((at) => at >= from && at < from + 1000).length);
    expect(Math.max(...withinSecond)).toBeLessThanOrEqual(20 * 1.1 + 1);
  });

  it('books evenly spaced slots, as many as start soon', async () => {
    const account = await world.account();
    const phone = phoneOf(account, 20);
    const throughput = ofProcess(world);
    /** The database's time, and when the phone is free, both in milliseconds. */
    const times = async () =>
      world.unitOfWork.autocommit.row<{ now: number; freeAt: number | null }>(
        `SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now,
                (SELECT extract(epoch FROM next_at)::float8 * 1000 FROM phone_throughput WHERE account_id = $1) AS free_at`,
        [account.accountId],
      );
    const before = await times();
    const [first, second] = await Promise.all([throughput.bookCampaign(phone, 2), throughput.bookCampaign(phone, 100)]);
    expect(first).toMatchObject({ messages: 2, waitMs: 0, isElsewhere: false });
    expect(second.messages).toBe(3);
    expect(second.waitMs).toBeCloseTo(2 * first.intervalMs, 0);
    expect(first.intervalMs).toBeCloseTo(1000 / (20 * 0.98), 0);
    const after = await times();
    const bookedFrom = Math.ceil((after?.freeAt ?? 0) - 5 * first.intervalMs);
    expect(bookedFrom).toBeGreaterThanOrEqual(before?.now ?? Number.NaN);
    expect(bookedFrom - 1).toBeLessThanOrEqual(after?.now ?? Number.NaN);
    await letPass(account, '-30 seconds');
    expect(await throughput.admitSingle(phone, 0)).toBe(false);
  });

  it('keeps a phone’s campaigns in one process until it releases the phone or its lease expires', async () => {
    const account = await world.account();
    const phone = phoneOf(account, 1000);
    const [mine, others] = [ofProcess(world), ofProcess(other)];
    const moveLease = (interval: string) =>
      world.unitOfWork.autocommit.affected(
        'UPDATE phone_throughput SET owned_until = owned_until + $2::interval WHERE account_id = $1',
        [account.accountId, interval],
      );
    expect(await mine.bookCampaign(phone, 1)).toMatchObject({ messages: 1 });
    await moveLease('50 seconds');
    expect(await others.bookCampaign(phone, 1)).toMatchObject({ messages: 0, isElsewhere: true });
    expect(await others.admitSingle(phone, 1000)).toBe(true);
    await mine.release();
    expect(await others.bookCampaign(phone, 1)).toMatchObject({ messages: 1, isElsewhere: false });
    await moveLease('-1 minute');
    expect(await mine.bookCampaign(phone, 1)).toMatchObject({ messages: 1, isElsewhere: false });
  });

  it('lets a single send through while a campaign is sending', async () => {
    const account = await world.account({ throughput: 5 });
    const { name: template_name } = await approvedTemplate(world, account);
    const ledger = () => world.simulator.ledger(account.phone.phoneNumberId);
    const campaign = sendCampaign(world, account, 200);
    await until('the campaign is sending', async () => (await ledger()).length > 0);
    const single = uniquePhone();
    const { status } = await account.api.post(SEND, { template_name, contact_phone: single });
    expect(status).toBe(200);
    const sent = await ledger();
    expect(sent.map(({ to }) => to)).toContain(single);
    expect(sent.length).toBeLessThan(201);
    // The rest need not take its 40 seconds.
    await world.unitOfWork.autocommit.affected('UPDATE business_phones SET throughput = 0 WHERE account_id = $1', [
      account.accountId,
    ]);
    await campaign;
    expect(await ledger()).toHaveLength(201);
  });

  describe('that exceeds the network’s limit (130429)', () => {
    it('is halved once per burst, down to a floor', async () => {
      const account = await until('four errors come within one burst', async () => {
        const candidate = await world.account();
        const phone = phoneOf(candidate, 100);
        const startedAt = performance.now();
        await Promise.all([world, world, other, other].map((process) => ofProcess(process).slowDown(phone)));
        return performance.now() - startedAt < ONE_BURST_MS && candidate;
      });
      const phone = phoneOf(account, 100);
      expect(await slowdownOf(account)).toBe(2);
      for (let bursts = 0; bursts < 8; bursts += 1) {
        await letPass(account, '501 milliseconds');
        await ofProcess(world).slowDown(phone);
      }
      expect(await slowdownOf(account)).toBe(64);
    });

    it('is slower for all processes, and recovers by half every few quiet seconds', async () => {
      // Each message takes ten seconds.
      const slowPhone = (of: TestAccount) => phoneOf(of, 1 / 10);
      for (const process of [world, other]) withoutWaiting(process);
      const account = await until('a slowed phone books before it recovers', async () => {
        const candidate = await world.account();
        await ofProcess(world).slowDown(slowPhone(candidate));
        await letPass(candidate, '501 milliseconds');
        const startedAt = performance.now();
        await ofProcess(world).slowDown(slowPhone(candidate));
        expect(await ofProcess(other).admitSingle(slowPhone(candidate), 0)).toBe(true);
        return performance.now() - startedAt < RECOVERY_MS && candidate;
      });
      const phone = slowPhone(account);
      expect(await slowdownOf(account)).toBe(4);
      await letPass(account, '10 seconds');
      // One message of a phone at one per ten seconds, slowed down four times.
      expect(await ofProcess(other).admitSingle(phone, 0)).toBe(false);
      for (const slowdown of [2, 1, 1]) {
        await letPass(account, '1 minute');
        expect(await ofProcess(world).admitSingle(phone, 0)).toBe(true);
        expect(await slowdownOf(account)).toBe(slowdown);
      }
      await letPass(account, '10 seconds');
      expect(await ofProcess(other).admitSingle(phone, 0)).toBe(true);
    });

    it('is slowed down by a throttled send, which still goes out', async () => {
      const account = await world.account();
      const { name: template_name } = await approvedTemplate(world, account);
      const send = () => account.api.post(SEND, { template_name, contact_phone: uniquePhone() });
      jest.replaceProperty(SINGLE_PATIENCE, 'spanMs', MINUTE);
      await world.simulator.behave({ error: { code: 130429, rate: 1 } });
      const throttled = send();
      await until('the phone is slowed down', async () => ((await slowdownOf(account)) ?? 1) > 1);
      await world.simulator.behave({ error: null, max_mps: 10 });
      expect((await throttled).status).toBe(200);
      // Of many at the same time, those that cannot go out in time are refused as not sent; the others go out.
      await crowd(19, () => until('it goes out', async () => (await send()).status === 200));
      expect(await world.simulator.ledger(account.phone.phoneNumberId)).toHaveLength(20);
    });
  });
});
