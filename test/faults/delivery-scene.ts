import { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import type { ListedDelivery } from '../webhooks/events.js';
import { type Answer, type Received, Receiver } from '../webhooks/receiver.js';
import { DeliveryBooks, type WatchedEndpoint } from './delivery-books.js';
import { type FaultService, FaultStack } from './fault-stack.js';
import { Traffic } from './traffic.js';

/** Messages that are sent, read and written by contacts, per second: each makes an event or more. */
const RATES = { sends: 10, reports: 20, inbound: 10, reads: 0, probes: 0 };
const SECRET = 'the secret of the receiver';
const TIMEOUT_S = 2;
const ANSWER_MS = 200;

/** How a scene differs from the usual one. */
export interface SceneOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly retries?: number;
  readonly rates?: Partial<typeof RATES>;
}

/**
 * A tenant with traffic whose events go to a receiver of ours. One process takes requests and reaches PostgreSQL directly, so
 * that events go on; another one delivers, and is what faults are done to.
 */
export class DeliveryScene {
  private constructor(
    readonly stack: FaultStack,
    readonly traffic: Traffic,
    readonly receiver: Receiver,
    /** The path to the receiver. */
    readonly path: TcpProxy,
    readonly endpoint: WatchedEndpoint,
    private worker: FaultService,
  ) {}

  static async start({ env = {}, retries = 3, rates = {} }: SceneOptions = {}): Promise<DeliveryScene> {
    const stack = await FaultStack.start(env);
    const api = await stack.service({ PARLEY_ROLES: 'api', DATABASE_URL: stack.databaseUrl });
    await stack.callBack(api);
    const worker = await stack.service({ PARLEY_ROLES: 'worker' });
    const account = await stack.account(api);
    const receiver = await Receiver.listen(usual());
    const path = await TcpProxy.start(receiver.url());
    const { status, body, text } = await account.api.post<{ webhook: { id: string } }>('/api/v1/webhooks/', {
      url: path.through(receiver.url('/hook')),
      secret: SECRET,
      retry_count: retries,
      timeout: TIMEOUT_S,
    });
    if (status !== 201) throw new Error(`the webhook was refused: ${status} ${text}`);
    const traffic = await Traffic.prepare(stack, api, account, { reports: 300 });
    traffic.start({ ...RATES, ...rates });
    const endpoint = { account, id: body.webhook.id, secret: SECRET, retries };
    return new DeliveryScene(stack, traffic, receiver, path, endpoint, worker);
  }

  /** Waits until so many more have arrived. */
  async untilMore(arrivals: number): Promise<void> {
    const { length } = this.receiver.received;
    await until(`${arrivals} more have arrived`, () => this.receiver.received.length >= length + arrivals);
  }

  /** Waits until the receiver has deliveries in hand. */
  async untilUnderWay(): Promise<void> {
    await until('attempts are under way', () => this.receiver.waiting >= 3);
  }

  /** Kills the process that delivers, with `kill -9`, and starts another. */
  async replaceWorker(): Promise<void> {
    this.worker.process.signal('SIGKILL');
    await this.worker.process.exit;
    this.worker = await this.stack.service({ PARLEY_ROLES: 'worker' });
  }

  /** The log of deliveries as the account sees it. */
  deliveries(): Promise<ListedDelivery[]> {
    return new DeliveryBooks(this.stack, this.endpoint).deliveries();
  }

  /** Ends the traffic, waits for the last deliveries and compares. */
  async findings(): Promise<string[]> {
    await this.traffic.stop();
    return new DeliveryBooks(this.stack, this.endpoint).findings(this.receiver.received);
  }

  async stop(): Promise<void> {
    await this.traffic.stop();
    await this.stack.stop();
    await this.path.stop();
    await this.receiver.close();
  }
}

/** Takes its time, and refuses one event in sixteen at first, so that retries are always under way too. */
function usual(): (delivery: Received) => Answer {
  const seen = new Set<string>();
  return ({ headers }) => {
    const id = String(headers['webhook-id']);
    const refuses = id.endsWith('0') && !seen.has(id);
    seen.add(id);
    return { status: refuses ? 503 : 200, afterMs: ANSWER_MS };
  };
}
