import { strikeInMidCampaign } from './mid-campaign.js';
import { pause } from './pause.js';

jest.setTimeout(240_000);

const AWAY_MS = 10_000;

describe('PostgreSQL cuts every connection and refuses new ones for ten seconds', () => {
  it('is answered 503, never 500; what was refused was not sent, what was answered 200 was sent once', async () => {
    const found = await strikeInMidCampaign({
      strike: async (proxy) => {
        proxy.refuse();
        proxy.cut('reset');
        await pause(AWAY_MS);
        await proxy.heal();
      },
      refusals: true,
    });
    expect(found).toEqual([]);
  });
});
