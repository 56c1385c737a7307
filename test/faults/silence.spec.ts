import type { Silence, TcpProxy } from '../support/tcp-proxy.js';
import { describeLong } from './long.js';
import { injectMidCampaign } from './mid-campaign.js';
import { breakFor, hang } from './path-faults.js';

jest.setTimeout(900_000);

const OLD_SESSIONS_LIVE: Silence = { newConnections: 'work', server: 'open' };
const ANSWERS_LOST: Silence = { newConnections: 'work', server: 'open', lost: 'answers' };
const AWAY_MS = 10_000;

describeLong('silence on the path to PostgreSQL', () => {
  it.each([
    ['the old sessions stay alive with their locks', (proxy: TcpProxy) => proxy.silence(OLD_SESSIONS_LIVE)],
    ['statements arrive but their answers are lost', (proxy: TcpProxy) => proxy.silence(ANSWERS_LOST)],
    ['new connections also hang for ten seconds', (proxy: TcpProxy) => breakFor(AWAY_MS, proxy, hang)],
  ])('loses nothing when %s', async (_, inject) => {
    expect(await injectMidCampaign({ inject, refusals: true })).toEqual([]);
  });
});
