import type { IncomingMessage, ServerResponse } from 'node:http';
import { createPartitions, lowestIdAt, PARTITIONED_TABLES, partitionAt } from '../../src/database/schema/partitions.js';
import { findSilentMessages } from '../../src/reports/silent-message.queries.js';
import { SilentMessagesSweep } from '../../src/reports/silent-messages.sweep.js';
import { DAY } from '../../src/values/clock.js';
import { campaignOf, pathOf, started, untilCampaign } from '../campaigns/campaigns.js';
import { workerDatabase } from '../support/database.js';
import { ForeignSession } from '../support/foreign-session.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniquePhone, World } from '../support/world.js';
import { eventsOf, type MessageRecord, recordOf, report, SEND } from './messages.js';

const ago = (days: number): Date => new Date(Date.now() - days * DAY);

/** A message with our id and the network's. */
interface Sent {
  readonly id: string;
  readonly networkId: string;
}

describe('messages that the network accepts and does not report', () => {
  let network: LoopbackServer;
  let world: World;
  let account: TestAccount;
  let template: { name: string };
  /** Whether the network holds messages back. */
  let holds = false;

  beforeAll(async () => {
    network = await LoopbackServer.start((request, response) => {
      passOn(request, response).catch(() => response.destroy());
    });
    world = await World.start({ env: { NETWORK_BASE_URL: network.url('') } });
    await world.simulator.behave({ statuses: [] });
    const messages = PARTITIONED_TABLES.find(({ table }) => table === 'messages');
    if (messages === undefined) throw new Error('messages are not partitioned');
    // Midnight may pass before a test uses them.
    for (const days of [28, 29, 30, 31, 44, 45, 60, 61]) {
      await createPartitions(world.unitOfWork.pool, messages, [partitionAt(messages, ago(days))]);
    }
  });
  beforeEach(async () => {
    holds = false;
    account = await world.account({ credits: 100 });
    template = await approvedTemplate(world, account);
    await looked(31.1, 61.1);
  });
  afterAll(async () => {
    await world.stop();
    await network.stop();
  });

  /** Passes a request on to the simulator, and holds what it accepts. */
  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const answer = await fetch(`${world.simulator.url}${request.url}`, {
      method: request.method,
      headers: { authorization, ...(type === '' ? {} : { 'content-type': type }) },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(
      holds ? text.replace('"message_status":"accepted"', '"message_status":"held_for_quality_assessment"') : text,
    );
  }

  const tx = () => world.unitOfWork.autocommit;
  const sweep = () => world.parley.app.get(SilentMessagesSweep).run();
  /** Sets until how many days ago the looks at messages of 30 and of 60 days have come. */
  const looked = async (days30: number, days60: number) => {
    for (const [after, days] of [
      [30, days30],
      [60, days60],
    ] as const) {
      await tx().affected('UPDATE silence_looks SET looked_until = $2 WHERE after_days = $1', [after, ago(days)]);
    }
  };
  const lookedUntil = async (after: number): Promise<number> => {
    const row = await tx().row<{ lookedUntil: Date }>('SELECT looked_until FROM silence_looks WHERE after_days = $1', [
      after,
    ]);
    return row?.lookedUntil.getTime() ?? 0;
  };
  const sent = async (): Promise<Sent> => {
    const { body } = await account.api.post<{ message_id: string }>(SEND, {
      template_name: template.name,
      contact_phone: uniquePhone(),
    });
    return networkIdOf(body.message_id);
  };
  const networkIdOf = async (id: string): Promise<Sent> => ({
    id,
    networkId: String((await recordOf(account, id)).network_message_id),
  });
  /** Makes a message as old as if it had been sent so many days ago; `accepted` if it was accepted later. */
  const aged = async ({ id, networkId }: Sent, days: number, accepted = days): Promise<Sent> => {
    const newId = `${lowestIdAt(ago(days)).slice(0, 13)}-7${id.slice(15)}`;
    await tx().affected(
      `UPDATE messages SET id = $3, created_at = $4, accepted_at = $5, sent_at = sent_at - (accepted_at - $5)
       WHERE account_id = $1 AND id = $2`,
      [account.accountId, id, newId, ago(days), ago(accepted)],
    );
    await tx().affected('UPDATE network_messages SET message_id = $3 WHERE account_id = $1 AND message_id = $2', [
      account.accountId,
      id,
      newId,
    ]);
    return { id: newId, networkId };
  };
  const reported = async ({ networkId }: Sent, status: string) =>
    expect(await report(world, account.phone.phoneNumberId, { id: networkId, status })).toBe(200);
  const recordsOf = (messages: readonly Sent[]): Promise<MessageRecord[]> =>
    Promise.all(messages.map(({ id }) => recordOf(account, id)));
  const eventsAbout = async ({ id }: Sent): Promise<unknown[]> =>
    (await eventsOf(world, account))
      .filter((event) => (event['message'] as { message_id?: string } | undefined)?.message_id === id)
      .map(({ event, message }) => {
        const { previous_status, status } = message as Record<string, unknown>;
        return [event, previous_status, status];
      });
  const GONE = {
    status: 'failed',
    error_code: 900008,
    error_message: 'The network accepted the message, but reported nothing about it for 30 days.',
  };

  it('fail after 30 days, and not before', async () => {
    const [old, young, told] = [await aged(await sent(), 31), await aged(await sent(), 29), await sent()];
    await reported(told, 'sent');
    const agedTold = await aged(told, 31);
    expect(await sweep()).toBe(true);
    expect(await recordsOf([old, young, agedTold])).toMatchObject([GONE, { status: 'sent' }, { status: 'sent' }]);
    expect((await eventsAbout(old)).at(-1)).toEqual(['message.failed', 'sent', 'failed']);
    expect(await sweep()).toBe(true);
    expect(await eventsAbout(old)).toHaveLength(1);
  });

  it.each([
    ['sent', ['message.sent', 'failed', 'sent']],
    ['delivered', ['message.delivered', 'failed', 'delivered']],
    ['read', ['message.read', 'failed', 'read']],
  ])('take a later report of %s instead of the guess', async (status, event) => {
    const old = await aged(await sent(), 31);
    await sweep();
    await reported(old, status);
    expect(await recordOf(account, old.id)).toMatchObject({ status, error_code: null, error_message: null });
    expect((await eventsAbout(old)).at(-1)).toEqual(event);
    await sweep();
    expect(await recordOf(account, old.id)).toMatchObject({ status });
  });

  it('are only those from the upgrade on', async () => {
    await looked(30.9, 60.9);
    const old = await aged(await sent(), 31);
    await sweep();
    expect(await recordOf(account, old.id)).toMatchObject({ status: 'sent' });
  });

  it('fail 30 days after they were accepted, however long their campaign had kept them', async () => {
    const late = await aged(await sent(), 61, 20);
    const later = await aged(await sent(), 61, 31);
    await looked(30, 61.1);
    await sweep();
    expect(await recordsOf([late, later])).toMatchObject([{ status: 'sent' }, GONE]);
    await tx().affected('UPDATE messages SET accepted_at = $3 WHERE account_id = $1 AND id = $2', [
      account.accountId,
      late.id,
      ago(31),
    ]);
    await looked(30, 61.1);
    await sweep();
    expect(await recordOf(account, late.id)).toMatchObject(GONE);
  });

  it('are left to the next run when one of them is locked', async () => {
    const old = await aged(await sent(), 31);
    const foreign = await ForeignSession.open(await workerDatabase());
    try {
      await foreign.lock('messages', 'account_id = $1 AND id = $2', [account.accountId, old.id]);
      expect(await sweep()).toBe(false);
      expect(await lookedUntil(30)).toBeLessThan(ago(30.9).getTime());
      await foreign.release();
      expect(await sweep()).toBe(true);
      expect(await lookedUntil(30)).toBeGreaterThan(ago(30.1).getTime());
      expect(await recordOf(account, old.id)).toMatchObject(GONE);
    } finally {
      await foreign.close();
    }
  });

  it('are not looked for in partitions that are gone', async () => {
    const stretch = { from: ago(4001), until: ago(4000) };
    expect(await findSilentMessages(stretch, ago(30), [], 10, tx())).toEqual([]);
  });

  describe('of a campaign', () => {
    const campaign = async (): Promise<{ id: string; messages: Sent[] }> => {
      const id = await started(account, template.name, 3);
      await untilCampaign(account, id, 'completed');
      const { body } = await account.api.get<{ messages: MessageRecord[] }>(`/api/v1/messages/?campaign_id=${id}`);
      return { id, messages: await Promise.all(body.messages.map(({ message_id }) => networkIdOf(message_id))) };
    };

    it('count as failed while they are gone, and keep their credits', async () => {
      const { id, messages } = await campaign();
      const old = await aged(messages[0] as Sent, 31);
      await sweep();
      expect(await campaignOf(account, id)).toMatchObject({ sent_count: 3, failed_count: 1, delivered_count: 0 });
      await reported(old, 'delivered');
      expect(await campaignOf(account, id)).toMatchObject({ sent_count: 3, failed_count: 0, delivered_count: 1 });
    });

    it('are counted while the network holds them back, and show since when', async () => {
      holds = true;
      const { id, messages } = await campaign();
      expect(await campaignOf(account, id)).toMatchObject({ sent_count: 3, held_count: 3, failed_count: 0 });
      const [first, second, third] = messages as [Sent, Sent, Sent];
      const held = await recordOf(account, first.id);
      const acceptedAt = held.timeline.find(({ status }) => status === 'accepted')?.at;
      expect(held).toMatchObject({ status: 'accepted', held_since: acceptedAt });
      await reported(first, 'sent');
      expect(await recordOf(account, first.id)).not.toHaveProperty('held_since');
      expect(await campaignOf(account, id)).toMatchObject({ held_count: 2, failed_count: 0 });
      const failed = { id: second.networkId, status: 'failed', errors: [{ code: 135000, title: 'Dropped' }] };
      await report(world, account.phone.phoneNumberId, failed);
      expect(await campaignOf(account, id)).toMatchObject({ held_count: 1, failed_count: 1 });
      await reported(second, 'sent');
      expect(await campaignOf(account, id)).toMatchObject({ held_count: 1 });
      await aged(third, 31);
      await sweep();
      expect(await campaignOf(account, id)).toMatchObject({ sent_count: 3, held_count: 0, failed_count: 2 });
      const { body } = await account.api.get<{ campaigns: Record<string, unknown>[] }>('/api/v1/campaigns/');
      expect(body.campaigns.find(({ campaign_id }) => campaign_id === id)).toMatchObject({ held_count: 0 });
      expect((await account.api.get(pathOf(id, '/stats'))).body).not.toHaveProperty('held_count');
    });
  });
});
