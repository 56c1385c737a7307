import { describeLong } from './long.js';
import { injectMidCampaign } from './mid-campaign.js';
import { breakFor, cutRepeatedly } from './path-faults.js';

jest.setTimeout(900_000);

const ROUGH_MS = 10_000;
const DELAY_MS = 50;

describeLong('a rough path to PostgreSQL', () => {
  it.each(['reset', 'end'] as const)(
    'loses and duplicates nothing while connections are cut repeatedly (%s)',
    async (how) => {
      expect(
        await injectMidCampaign({ inject: (proxy) => cutRepeatedly(proxy, how, ROUGH_MS), refusals: true }),
      ).toEqual([]);
    },
  );

  it('answers or refuses in time while every statement takes 50 ms longer each way', async () => {
    const found = await injectMidCampaign({
      inject: (path) => breakFor(ROUGH_MS, path, (proxy) => proxy.delay(DELAY_MS)),
      // An inbound message takes a dozen statements, too many for two connections at this latency.
      refusals: true,
    });
    expect(found).toEqual([]);
  });
});
