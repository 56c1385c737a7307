import { injectMidCampaign } from './mid-campaign.js';

jest.setTimeout(900_000);

describe('every connection to PostgreSQL falls silent while new ones work', () => {
  it('loses and duplicates nothing, answers within ten seconds and recovers within fifteen', async () => {
    const found = await injectMidCampaign({
      inject: (proxy) => proxy.silence({ newConnections: 'work' }),
      refusals: true,
    });
    expect(found).toEqual([]);
  });
});
