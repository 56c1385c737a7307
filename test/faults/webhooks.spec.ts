import type { TcpProxy } from '../support/tcp-proxy.js';
import { DeliveryScene } from './delivery-scene.js';
import { describeLong } from './long.js';
import { breakFor, cutRepeatedly, hang, refuse } from './path-faults.js';

jest.setTimeout(900_000);

const ROUNDS = 3;
const BETWEEN = 50;
const AWAY_MS = 10_000;

const cutForAWhile = (path: TcpProxy) => cutRepeatedly(path, 'reset', AWAY_MS);
const refuseForAWhile = (path: TcpProxy) => breakFor(AWAY_MS, path, refuse);
const hangForAWhile = (path: TcpProxy) => breakFor(AWAY_MS, path, hang);

describeLong(
  'every event arrives at least once with the same id and bytes, or its exhausted retries are in the log',
  () => {
    let scene: DeliveryScene;
    afterEach(() => scene?.stop());

    const endure = async (path: () => TcpProxy, inject: (path: TcpProxy) => Promise<void> | void): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await scene.untilMore(BETWEEN);
        await inject(path());
      }
      await scene.untilMore(BETWEEN);
      expect(await scene.findings()).toEqual([]);
    };

    it.each([
      [
        'delivers statements but loses their answers',
        (path: TcpProxy) => path.silence({ newConnections: 'work', server: 'open', lost: 'answers' }),
      ],
      [
        'leaves the old sessions alive with their locks',
        (path: TcpProxy) => path.silence({ newConnections: 'work', server: 'open' }),
      ],
      ['hangs for ten seconds, including new connections', hangForAWhile],
      ['refuses connections for ten seconds', refuseForAWhile],
      ['repeatedly cuts connections', cutForAWhile],
    ])('although the path to PostgreSQL %s', async (_, inject) => {
      scene = await DeliveryScene.start();
      await endure(() => scene.stack.proxy, inject);
    });

    it.each([
      ['falls silent for ten seconds, including new connections', hangForAWhile],
      [
        'loses the answers on existing connections',
        (path: TcpProxy) => path.silence({ newConnections: 'work', lost: 'answers' }),
      ],
      ['is cut repeatedly', cutForAWhile],
    ])('although the path to the receiver %s', async (_, inject) => {
      scene = await DeliveryScene.start({ retries: 10 });
      await endure(() => scene.path, inject);
    });
  },
);
