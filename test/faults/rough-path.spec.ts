import type { TcpProxy } from '../support/tcp-proxy.js';
import { describeLong } from './long.js';
import { strikeInMidCampaign } from './mid-campaign.js';
import { pause } from './pause.js';

jest.setTimeout(240_000);

const ROUGH_MS = 10_000;
const CUT_EVERY_MS = 400;
const DELAY_MS = 50;

/** Every connection is cut again and again, and new ones work. */
async function cutForAWhile(proxy: TcpProxy, how: 'reset' | 'end'): Promise<void> {
  const until = Date.now() + ROUGH_MS;
  while (Date.now() < until) {
    proxy.cut(how);
    await pause(CUT_EVERY_MS);
  }
}

describeLong('a rough path to PostgreSQL', () => {
  it.each(['reset', 'end'] as const)(
    'loses and doubles nothing while connections are cut again and again (%s)',
    async (how) => {
      expect(await strikeInMidCampaign({ strike: (proxy) => cutForAWhile(proxy, how), refusals: true })).toEqual([]);
    },
  );

  it('answers, or refuses in time, while every statement takes 50 ms longer each way', async () => {
    const found = await strikeInMidCampaign({
      strike: async (proxy) => {
        proxy.delay(DELAY_MS);
        await pause(ROUGH_MS);
        await proxy.heal();
      },
      // A message from a contact is a dozen statements: more of them come than two connections store at that pace.
      refusals: true,
    });
    expect(found).toEqual([]);
  });
});
