import { injectMidCampaign } from './mid-campaign.js';
import { breakFor, refuse } from './path-faults.js';

jest.setTimeout(900_000);

const AWAY_MS = 10_000;

describe('PostgreSQL cuts every connection and refuses new ones for ten seconds', () => {
  it('causes 503, never 500; refused messages are not sent, and those answered 200 are sent once', async () => {
    const found = await injectMidCampaign({
      inject: (proxy) => breakFor(AWAY_MS, proxy, refuse),
      refusals: true,
    });
    expect(found).toEqual([]);
  });
});
