import { TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';
import type { ListedDelivery } from '../webhooks/events.js';
import { type Answer, type Received, Receiver } from '../webhooks/receiver.js';
import { DeliveryBooks, type WatchedEndpoint } from './delivery-books.js';
import { type FaultService, FaultStack } from './fault-stack.js';
import { Traffic } from './traffic.js';

/** Requests per second; each send, report or inbound message causes at least one event. */
const RATES = { sends: 10, reports: 20, inbound: 10, reads: 0, probes: 0 };
const SECRET = 'the secret of the receiver';
const TIMEOUT_S = 2;
/** Attempts that a kill finds under way. */
const HELD = 3;
const ANSWER_MS = 200;

/** Options of a scene. */
export interface SceneOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly retries?: number;
  /** How long an attempt waits for an answer, seconds. */
  readonly timeout?: number;
  readonly rates?: Partial<typeof RATES>;
}

/**
 * A tenant with traffic whose events go to our receiver. One process serves the API and reaches PostgreSQL directly, so
 * that events keep coming; faults hit the other one, which delivers.
 */
export class DeliveryScene {
  private isStopped = false;

  private constructor(
    readonly stack: FaultStack,
    readonly traffic: Traffic,
    readonly receiver: Receiver,
    /** The proxy in front of the receiver. */
    readonly path: TcpProxy,
    readonly endpoint: WatchedEndpoint,
    private readonly answer: (delivery: Received) => Answer,
    private worker: FaultService,
  ) {}

  static async start({
    env = {},
    retries = 3,
    timeout = TIMEOUT_S,
    rates = {},
  }: SceneOptions = {}): Promise<DeliveryScene> {
    const stack = await FaultStack.start(env);
    const api = await stack.service({ PARLEY_ROLES: 'api', DATABASE_URL: stack.databaseUrl });
    await stack.callBack(api);
    const worker = await stack.service({ PARLEY_ROLES: 'worker' });
    const account = await stack.account(api);
    const answer = slowAnswers();
    const receiver = await Receiver.listen(answer);
    const path = await TcpProxy.start(receiver.url());
    const { status, body, text } = await account.api.post<{ webhook: { id: string } }>('/api/v1/webhooks/', {
      url: path.through(receiver.url('/hook')),
      secret: SECRET,
      retry_count: retries,
      timeout,
    });
    if (status !== 201) throw new Error(`the webhook was refused: ${status} ${text}`);
    const traffic = await Traffic.prepare(stack, api, account, { reports: 300 });
    traffic.start({ ...RATES, ...rates });
    const endpoint = { account, id: body.webhook.id, secret: SECRET, retries };
    return new DeliveryScene(stack, traffic, receiver, path, endpoint, answer, worker);
  }

  /** Waits for `arrivals` more deliveries. */
  async untilMore(arrivals: number): Promise<void> {
    const { length } = this.receiver.received;
    await until(`${arrivals} more have arrived`, () => this.receiver.received.length >= length + arrivals);
  }

  /** Kills the delivering process with `kill -9` and starts another. */
  async replaceWorker(): Promise<void> {
    await this.worker.process.kill();
    this.worker = await this.stack.service({ PARLEY_ROLES: 'worker' });
  }

  /** The same in the midst of attempts: the receiver answers them only when the process is gone. */
  async replaceWorkerInMidAttempt(): Promise<void> {
    let held = 0;
    let release: () => void = () => undefined;
    const after = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.receiver.answerWith((delivery) => {
      held += 1;
      const answer = this.answer(delivery);
      return answer === 'hang' ? answer : { ...answer, after };
    });
    try {
      await until('attempts are under way', () => held >= HELD);
      await this.worker.process.kill();
    } finally {
      this.receiver.answerWith(this.answer);
      release();
    }
    this.worker = await this.stack.service({ PARLEY_ROLES: 'worker' });
  }

  /** The delivery log as the API shows it. */
  deliveries(): Promise<ListedDelivery[]> {
    return new DeliveryBooks(this.stack, this.endpoint).deliveries();
  }

  /** Stops the traffic, waits for the last deliveries and compares. */
  async findings(): Promise<string[]> {
    await this.traffic.stop();
    return new DeliveryBooks(this.stack, this.endpoint).findings(this.receiver.received);
  }

  /** Can be repeated. */
  async stop(): Promise<void> {
    if (this.isStopped) return;
    this.isStopped = true;
    try {
      await this.traffic.stop();
    } finally {
      await this.stack.stop();
      await this.path.stop();
      await this.receiver.close();
    }
  }
}

/** Answers slowly and refuses one event in sixteen at first, so that there are always retries. */
function slowAnswers(): (delivery: Received) => Answer {
  const seen = new Set<string>();
  return ({ headers }) => {
    const id = String(headers['webhook-id']);
    const refuses = id.endsWith('0') && !seen.has(id);
    seen.add(id);
    return { status: refuses ? 503 : 200, afterMs: ANSWER_MS };
  };
}
