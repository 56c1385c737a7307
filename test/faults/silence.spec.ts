import type { Silence, TcpProxy } from '../support/tcp-proxy.js';
import { describeLong } from './long.js';
import { strikeInMidCampaign } from './mid-campaign.js';
import { pause } from './pause.js';

jest.setTimeout(240_000);

const OLD_SESSIONS_LIVE: Silence = { newConnections: 'work', server: 'open' };
const ANSWERS_LOST: Silence = { newConnections: 'work', server: 'open', lost: 'answers' };
const AWAY_MS = 10_000;

const hangForAWhile = async (proxy: TcpProxy): Promise<void> => {
  proxy.silence({ newConnections: 'hang', server: 'open' });
  await pause(AWAY_MS);
  await proxy.heal();
};

describeLong('silence on the path to PostgreSQL', () => {
  it.each([
    ['the old sessions live on with their locks', (proxy: TcpProxy) => proxy.silence(OLD_SESSIONS_LIVE)],
    ['statements arrive and their answers are lost', (proxy: TcpProxy) => proxy.silence(ANSWERS_LOST)],
    ['new connections hang too, for ten seconds', hangForAWhile],
  ])('costs nothing when %s', async (_, strike) => {
    expect(await strikeInMidCampaign({ strike, refusals: true })).toEqual([]);
  });
});
