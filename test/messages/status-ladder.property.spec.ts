import fc from 'fast-check';
import { unhandledOf } from '../inbound/inbound.js';
import { crowd, crowdOf } from '../support/crowd.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, uniqueDigits, World } from '../support/world.js';
import { countersOf, sendCampaign } from './campaign-messages.js';
import { eventsOf, type Report, recordOf, report, SEND } from './messages.js';

const RUNS = 25;
/** Messages per run. */
const PER_RUN = 6;
const STATUSES = ['sent', 'delivered', 'read', 'played', 'failed'] as const;
type Status = (typeof STATUSES)[number];

/** A message under test; the send of a lost one was never answered. */
interface Message {
  readonly id: string;
  readonly networkId: string;
  readonly lost: boolean;
}

/** One report about the message at this index. */
interface StatusReport {
  readonly message: number;
  readonly status: Status;
  /** Whether it echoes our id. */
  readonly named: boolean;
}

/** The expected outcome of a message, derived only from the set of its reports. */
function expected({ lost }: Message, received: readonly StatusReport[]): { status: string; events: string[] } {
  const seen = new Set<Status>(received.map(({ status }) => (status === 'played' ? 'read' : status)));
  const known = !lost || seen.size > 0;
  const status = seen.has('read')
    ? 'read'
    : seen.has('delivered')
      ? 'delivered'
      : seen.has('failed')
        ? 'failed'
        : 'sent';
  const events = ['delivered', 'read', 'failed'].filter((kind) => seen.has(kind as Status));
  return {
    status: known ? status : 'pending',
    events: [...(known ? ['sent'] : []), ...events].map((kind) => `message.${kind}`).sort(),
  };
}

/** Reports whose message is not known yet. */
const parkedOf = (world: World, { accountId }: TestAccount) =>
  world.unitOfWork.autocommit.rows('SELECT network_message_id, report FROM parked_reports WHERE account_id = $1', [
    accountId,
  ]);

/** What was recorded for nobody, about the account's phone. */
const unhandledOfNobody = async (world: World, { phone }: TestAccount) =>
  (await unhandledOf(world, null)).filter(({ body }) => JSON.stringify(body).includes(phone.phoneNumberId));

const reports = fc.array(
  fc.record({
    message: fc.nat(PER_RUN - 1),
    status: fc.constantFrom(...STATUSES),
    named: fc.boolean(),
  }),
  { maxLength: 40 },
);

describe('shuffled, repeated and dropped status reports', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start();
    await world.simulator.behave({ statuses: [] });
    account = await world.account();
  });
  afterAll(() => world.stop());

  /** Sends that the network accepts without an answer. */
  async function lostMessages(count: number): Promise<Message[]> {
    const { name: template_name } = await approvedTemplate(world, account);
    return crowd(count, async () => {
      const contact_phone = `491${uniqueDigits().slice(-5)}9990008`;
      const { status, headers } = await account.api.post(SEND, { template_name, contact_phone });
      expect(status).toBe(504);
      const id = String(headers.get('x-message-id'));
      return { id, networkId: `wamid.${id}`, lost: true };
    });
  }

  it('leave rows, counters and events that depend only on their set, not on order or batches', async () => {
    const campaign = await sendCampaign(world, account, RUNS * (PER_RUN - 1));
    const answered = campaign.messages.map((message): Message => ({ ...message, lost: false }));
    const lost = await lostMessages(RUNS);
    const everything: { message: Message; received: readonly StatusReport[] }[] = [];

    await fc.assert(
      fc.asyncProperty(reports, fc.integer({ min: 1, max: 12 }), fc.boolean(), async (received, size, together) => {
        const messages = [...answered.splice(0, PER_RUN - 1), ...lost.splice(0, 1)];
        const bodies: Report[][] = [];
        for (let from = 0; from < received.length; from += size) {
          bodies.push(
            received.slice(from, from + size).flatMap(({ message: place, status, named }) => {
              const message = messages[place];
              if (message === undefined) return [];
              const ours = named || message.lost ? { biz_opaque_callback_data: message.id } : {};
              return [{ id: message.networkId, status, ...ours }];
            }),
          );
        }
        const post = async (body: (typeof bodies)[number]) =>
          expect(await report(world, account.phone.phoneNumberId, ...body)).toBe(200);
        if (together) await crowdOf(bodies, post);
        else for (const body of bodies) await post(body);

        expect(await unhandledOf(world, account.accountId)).toEqual([]);
        expect(await unhandledOfNobody(world, account)).toEqual([]);
        expect(await parkedOf(world, account)).toEqual([]);
        const events = await eventsOf(world, account);
        for (const [place, message] of messages.entries()) {
          const own = received.filter((report) => report.message === place);
          everything.push({ message, received: own });
          const model = expected(message, own);
          const { status, timeline } = await recordOf(account, message.id);
          const emitted = events
            .filter(({ message: about }) => (about as { message_id: string }).message_id === message.id)
            .map(({ event }) => event)
            .sort();
          const steps = timeline.map((step) => step.status).sort();
          // The steps say what was stored where the rest differs.
          expect({ status, events: emitted, steps }).toEqual({ ...model, steps });
        }
      }),
      { numRuns: RUNS, endOnFailure: true },
    );

    const models = everything
      .filter(({ message }) => !message.lost)
      .map(({ message, received }) => expected(message, received));
    const count = (...statuses: string[]) => models.filter(({ status }) => statuses.includes(status)).length;
    expect(await countersOf(account, campaign.id)).toEqual({
      sent_count: RUNS * (PER_RUN - 1),
      delivered_count: count('delivered', 'read'),
      read_count: count('read'),
      clicked_count: 0,
      failed_count: count('failed'),
      replied_count: 0,
    });
  });
});
