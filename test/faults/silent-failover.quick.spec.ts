import { strikeInMidCampaign } from './mid-campaign.js';

jest.setTimeout(240_000);

describe('every connection to PostgreSQL falls silent while new ones work', () => {
  it('loses and doubles nothing, answers within ten seconds and heals by itself within fifteen', async () => {
    const found = await strikeInMidCampaign({
      strike: (proxy) => proxy.silence({ newConnections: 'work' }),
      refusals: true,
    });
    expect(found).toEqual([]);
  });
});
