import fc from 'fast-check';
import { openWindow, report } from '../messages/messages.js';
import { approvedTemplate } from '../support/templates.js';
import { type TestAccount, World } from '../support/world.js';
import { act, expectFunnelListed, PATIENT, started, untilCampaign, untilIdle } from './campaigns.js';

const RUNS = 5;
const RECIPIENTS = 6;
const STATUSES = ['sent', 'delivered', 'read', 'failed', 'failed'] as const;

/** Something that happens to a campaign: reports about some of its messages, old ones too; a retry; a tap on a message. */
const steps = fc.array(
  fc.oneof(
    fc.record({
      reports: fc.array(fc.record({ message: fc.nat(), status: fc.constantFrom(...STATUSES) }), {
        minLength: 1,
        maxLength: 8,
      }),
    }),
    fc.record({ retries: fc.constant(true) }),
    fc.record({ tapped: fc.nat() }),
  ),
  { minLength: 3, maxLength: 8 },
);

describe('after any history of sends, failures, retries, late reports and taps', () => {
  let world: World;
  let account: TestAccount;

  beforeAll(async () => {
    world = await World.start({ env: PATIENT });
    await world.simulator.behave({ statuses: [] });
    account = await world.account();
  });
  afterAll(() => world.stop());

  /** The messages of a campaign at the network, the retried ones first. */
  const messagesOf = async (templateName: string) => {
    const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
    return ledger.filter(({ template_name }) => template_name === templateName);
  };

  it('each counter of a campaign is the number of recipients in its list', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const buttons = [{ type: 'QUICK_REPLY', text: 'Yes' }];
        const { name } = await approvedTemplate(world, account, { buttons });
        const id = await started(account, name, RECIPIENTS);
        await untilCampaign(account, id, 'completed');
        for (const step of history) {
          await untilIdle(world, account);
          const messages = await messagesOf(name);
          const messageAt = (place: number) => messages[place % messages.length];
          if ('reports' in step) {
            const statuses = step.reports.map(({ message, status }) => ({
              id: String(messageAt(message)?.id),
              biz_opaque_callback_data: String(messageAt(message)?.biz_opaque_callback_data),
              status,
              ...(status === 'failed' && { errors: [{ code: 131000, title: 'No' }] }),
            }));
            expect(await report(world, account.phone.phoneNumberId, ...statuses)).toBe(200);
          } else if ('retries' in step) {
            const { status } = await act(account, id, 'retry-failed');
            expect([200, 400]).toContain(status);
            await untilCampaign(account, id, 'completed');
          } else {
            const entry = messageAt(step.tapped);
            const tap = { type: 'button', text: 'Yes', payload: 'Yes', context_id: entry?.id };
            await openWindow(world, account.phone, String(entry?.to), tap);
          }
          await untilIdle(world, account);
          await expectFunnelListed(account, id);
        }
      }),
      {
        numRuns: RUNS,
        endOnFailure: true,
        examples: [
          [
            [
              { reports: [0, 1, 2].map((message) => ({ message, status: 'failed' as const })) },
              { retries: true },
              { reports: [0, 1, 7].map((message) => ({ message, status: 'read' as const })) },
              { tapped: 0 },
              { reports: [{ message: 8, status: 'failed' }] },
              { retries: true },
            ],
          ],
        ],
      },
    );
  });
});
