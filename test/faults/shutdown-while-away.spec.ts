import { FaultStack } from './fault-stack.js';
import { say } from './figures.js';
import { describeLong } from './long.js';
import { hang, refuse } from './path-faults.js';
import { pause } from './pause.js';
import { Traffic } from './traffic.js';

jest.setTimeout(900_000);

const BUSY_MS = 2000;
const AWAY_MS = 3000;

describeLong('SIGTERM while PostgreSQL is unavailable', () => {
  it.each([
    ['refuses connections', 'api,worker', refuse],
    ['hangs', 'api,worker', hang],
    ['hangs', 'worker', hang],
  ])('ends the process within 30 s: PostgreSQL %s, roles %s', async (_, roles, breakPath) => {
    const stack = await FaultStack.start();
    try {
      const api = await stack.mainService();
      const account = await stack.account(api, { throughput: 50 });
      const traffic = await Traffic.prepare(stack, api, account, { reports: 50 });
      const service = roles === 'worker' ? await stack.service({ PARLEY_ROLES: roles }) : api;
      traffic.start();
      await stack.campaign(account, 500);
      await pause(BUSY_MS);
      breakPath(stack.proxy);
      await pause(AWAY_MS);
      const signalledAt = Date.now();
      service.process.signal('SIGTERM');
      const ended = await service.process.ends();
      await traffic.stop();
      say(`${roles}: ended ${ended === undefined ? 'never' : `with ${ended.how} after ${ended.at - signalledAt} ms`}`);
      expect(ended?.how).toBe(0);
    } finally {
      await stack.stop();
    }
  });
});
