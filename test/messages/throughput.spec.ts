import { Throughput } from '../../src/sending/slots/throughput.js';
import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { sendCampaign } from './campaign-messages.js';
import { SEND } from './messages.js';

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
  afterEach(() => world.simulator.behave({ error: null, max_mps: 0 }));

  const phoneOf = ({ accountId, phone }: TestAccount, throughput: number) => ({
    accountId,
    id: phone.id,
    throughput,
  });
  const ofProcess = (process: World): Throughput => process.parley.app.get(Throughput);
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
    const phone = phoneOf(account, 1);
    // Each message takes a second: one process finds the slot that the other booked.
    const taken = await Promise.all([world, other].map((process) => ofProcess(process).admitSingle(phone, 0)));
    expect(taken.filter((admitted) => admitted)).toHaveLength(1);
    expect(await ofProcess(other).admitSingle(phone, 0)).toBe(false);
    expect((await ofProcess(other).bookCampaign(phone, 1)).messages).toBe(0);
    await letPass(account, '1 second');
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
    const admitted = await Promise.all(
      Array.from({ length: 50 }, () => ofProcess(world).admitSingle(phoneOf(account, 0), 0)),
    );
    expect(admitted.every((each) => each)).toBe(true);
    expect(await slowdownOf(account)).toBeUndefined();
  });

  it('prefers single sends to campaigns, which book only a short time ahead', async () => {
    const phone = phoneOf(await world.account(), 2);
    const booked = async (messages: number) => (await ofProcess(world).bookCampaign(phone, messages)).messages;
    expect(await booked(5)).toBe(1);
    // The phone is booked for half a second: too far ahead for a campaign, not for a single send.
    expect(await booked(1)).toBe(0);
    expect(await ofProcess(other).admitSingle(phone, 5000)).toBe(true);
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
    const phone = phoneOf(await world.account(), 20);
    const throughput = ofProcess(world);
    const [first, second] = await Promise.all([throughput.bookCampaign(phone, 2), throughput.bookCampaign(phone, 100)]);
    expect(first).toMatchObject({ messages: 2, waitMs: 0, isElsewhere: false });
    expect(second.messages).toBe(3);
    expect(second.waitMs).toBeCloseTo(2 * first.intervalMs, 0);
    expect(first.intervalMs).toBeCloseTo(1000 / (20 * 0.98), 0);
    expect(await throughput.admitSingle(phone, 0)).toBe(false);
  });

  it('keeps a phone’s campaigns in one process until it releases the phone or its lease expires', async () => {
    const account = await world.account();
    const phone = phoneOf(account, 1000);
    const [mine, others] = [ofProcess(world), ofProcess(other)];
    expect(await mine.bookCampaign(phone, 1)).toMatchObject({ messages: 1 });
    expect(await others.bookCampaign(phone, 1)).toMatchObject({ messages: 0, isElsewhere: true });
    expect(await others.admitSingle(phone, 1000)).toBe(true);
    await mine.release();
    expect(await others.bookCampaign(phone, 1)).toMatchObject({ messages: 1, isElsewhere: false });
    await world.unitOfWork.autocommit.affected(
      "UPDATE phone_throughput SET owned_until = owned_until - interval '1 minute' WHERE account_id = $1",
      [account.accountId],
    );
    expect(await mine.bookCampaign(phone, 1)).toMatchObject({ messages: 1, isElsewhere: false });
  });

  it('lets a single send through while a campaign is sending', async () => {
    const account = await world.account({ throughput: 20 });
    const { name: template_name } = await approvedTemplate(world, account);
    const campaign = sendCampaign(world, account, 60);
    const single = uniquePhone();
    const { status } = await account.api.post(SEND, { template_name, contact_phone: single });
    expect(status).toBe(200);
    await campaign;
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    expect(ledger).toHaveLength(61);
    expect(ledger.at(-1)?.to).not.toBe(single);
  });

  describe('that exceeds the network’s limit (130429)', () => {
    it('is halved once per burst, down to a floor', async () => {
      const account = await world.account();
      const phone = phoneOf(account, 100);
      await Promise.all([world, world, other, other].map((process) => ofProcess(process).slowDown(phone)));
      expect(await slowdownOf(account)).toBe(2);
      for (let bursts = 0; bursts < 8; bursts += 1) {
        await letPass(account, '501 milliseconds');
        await ofProcess(world).slowDown(phone);
      }
      expect(await slowdownOf(account)).toBe(64);
    });

    it('is slower for all processes, and recovers by half every few quiet seconds', async () => {
      const account = await world.account();
      const phone = phoneOf(account, 1);
      for (let bursts = 0; bursts < 2; bursts += 1) {
        await ofProcess(world).slowDown(phone);
        await letPass(account, '501 milliseconds');
      }
      expect(await slowdownOf(account)).toBe(4);
      expect(await ofProcess(other).admitSingle(phone, 0)).toBe(true);
      await letPass(account, '1 second');
      // One message of a phone at one per second, slowed down four times.
      expect(await ofProcess(other).admitSingle(phone, 0)).toBe(false);
      for (const slowdown of [2, 1, 1]) {
        await letPass(account, '1 minute');
        expect(await ofProcess(world).admitSingle(phone, 0)).toBe(true);
        expect(await slowdownOf(account)).toBe(slowdown);
      }
      await letPass(account, '1 second');
      expect(await ofProcess(other).admitSingle(phone, 0)).toBe(true);
    });

    it('is slowed down by a throttled send, which still goes out', async () => {
      const account = await world.account();
      const { name: template_name } = await approvedTemplate(world, account);
      await world.simulator.behave({ max_mps: 10 });
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => account.api.post(SEND, { template_name, contact_phone: uniquePhone() })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await slowdownOf(account)).toBeGreaterThan(1);
      expect(await world.simulator.ledger(account.phone.phoneNumberId)).toHaveLength(20);
    });
  });
});
