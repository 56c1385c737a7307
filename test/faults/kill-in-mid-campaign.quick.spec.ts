import { KilledCampaign } from './killed-campaign.js';

jest.setTimeout(900_000);

const RECIPIENTS = 1000;
/** Most messages of one account that a process has in flight. */
const MAX_IN_FLIGHT = 256;

/** When the service is killed: number of messages that the network has accepted by then. */
const MOMENTS = [
  { seed: 1, accepted: [1] },
  { seed: 2, accepted: [257, 700] },
];

describe('a campaign whose service is killed with kill -9', () => {
  it.each(MOMENTS)(
    'sends to no recipient twice and accounts for all (seed $seed, killed at $accepted)',
    async ({ accepted }) => {
      const sandbox = new KilledCampaign();
      try {
        await sandbox.start();
        await sandbox.send(RECIPIENTS);
        for (const count of accepted) {
          await sandbox.untilAccepted(count);
          await sandbox.kill();
          await sandbox.start();
        }
        const rows = await sandbox.settled();
        const ledger = await sandbox.ledger();
        const reached = ledger.map(({ to }) => to);
        const failed = await sandbox.failed();

        expect(new Set(reached).size).toBe(reached.length);
        expect([...reached, ...failed.map(({ phone }) => phone)].sort()).toEqual(sandbox.phones);
        expect(failed.every(({ error_code }) => error_code === 900002)).toBe(true);
        expect(failed.length).toBeLessThanOrEqual(MAX_IN_FLIGHT * accepted.length);
        const { body: stats } = await sandbox.api.get(`/api/v1/campaigns/${sandbox.campaignId}/stats`);
        expect(stats).toMatchObject({
          campaign_status: 'completed',
          total_contacts: RECIPIENTS,
          sent_count: reached.length,
          delivered_count: reached.length,
          read_count: reached.length,
          failed_count: failed.length,
        });
        expect(rows).toMatchObject({ sent: reached.length, read: reached.length, failed: failed.length });
      } finally {
        await sandbox.clear();
      }
    },
  );
});
