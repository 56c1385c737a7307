import type { TcpProxy } from '../support/tcp-proxy.js';
import { DeliveryScene } from './delivery-scene.js';
import { describeLong } from './long.js';
import { pause } from './pause.js';

jest.setTimeout(300_000);

const ROUNDS = 3;
const BETWEEN = 50;
const AWAY_MS = 10_000;
const CUT_EVERY_MS = 400;

const cutForAWhile = async (path: TcpProxy): Promise<void> => {
  for (let left = AWAY_MS; left > 0; left -= CUT_EVERY_MS) {
    path.cut('reset');
    await pause(CUT_EVERY_MS);
  }
};
const refuseForAWhile = async (path: TcpProxy): Promise<void> => {
  path.refuse();
  path.cut('reset');
  await pause(AWAY_MS);
  await path.heal();
};
const hangForAWhile = async (path: TcpProxy): Promise<void> => {
  path.silence({ newConnections: 'hang', server: 'open' });
  await pause(AWAY_MS);
  await path.heal();
};

describeLong(
  'every event arrives at least once with the same id and bytes, or its exhausted retries are in the log',
  () => {
    let scene: DeliveryScene;
    afterEach(() => scene.stop());

    const endure = async (path: () => TcpProxy, strike: (path: TcpProxy) => Promise<void> | void): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await scene.untilMore(BETWEEN);
        await strike(path());
      }
      await scene.untilMore(BETWEEN);
      expect(await scene.findings()).toEqual([]);
    };

    it.each([
      [
        'lets statements arrive and loses their answers',
        (path: TcpProxy) => path.silence({ newConnections: 'work', server: 'open', lost: 'answers' }),
      ],
      [
        'leaves the old sessions alive with their locks',
        (path: TcpProxy) => path.silence({ newConnections: 'work', server: 'open' }),
      ],
      ['hangs for ten seconds, new connections too', hangForAWhile],
      ['refuses connections for ten seconds', refuseForAWhile],
      ['cuts connections again and again', cutForAWhile],
    ])('although the path to PostgreSQL %s', async (_, strike) => {
      scene = await DeliveryScene.start();
      await endure(() => scene.stack.proxy, strike);
    });

    it.each([
      ['falls silent for ten seconds, new connections too', hangForAWhile],
      [
        'loses the answers of connections that there are',
        (path: TcpProxy) => path.silence({ newConnections: 'work', lost: 'answers' }),
      ],
      ['is cut again and again', cutForAWhile],
    ])('although the path to the receiver %s', async (_, strike) => {
      scene = await DeliveryScene.start({ retries: 10 });
      await endure(() => scene.path, strike);
    });
  },
);
