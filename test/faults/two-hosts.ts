import { onFreePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { type FaultAccount, type FaultService, FaultStack } from './fault-stack.js';
import { say } from './figures.js';
import { HeldConnections } from './held-connections.js';
import { LoadBalancer } from './load-balancer.js';
import { pause } from './pause.js';

/** How long an API process goes on answering: far longer than the load balancer takes to notice on a busy machine. */
const GRACE_MS = 8000;
/** Seconds after which messages fail whose process has died before it knew their outcome. */
const HORIZON_S = 15;

/** One machine with a process of each role, and the ports that it keeps over restarts. */
interface Host {
  readonly apiUrl: string;
  readonly apiEnv: Readonly<Record<string, string>>;
  readonly workerUrl: string;
  readonly workerEnv: Readonly<Record<string, string>>;
  api: FaultService;
  worker: FaultService;
}

/** Two hosts, each with an API process and a worker, behind a load balancer that callers and the network use. */
export class TwoHosts {
  private constructor(
    readonly stack: FaultStack,
    readonly balancer: LoadBalancer,
    private readonly hosts: readonly Host[],
  ) {}

  /** @param env where the queues are, for example */
  static async start(env: Readonly<Record<string, string>>): Promise<TwoHosts> {
    const stack = await FaultStack.start({
      UNKNOWN_OUTCOME_HORIZON: String(HORIZON_S),
      ...env,
    });
    const hosts = await Promise.all([startHost(stack), startHost(stack)]);
    const balancer = await LoadBalancer.start(hosts.map(({ apiUrl }) => apiUrl));
    for (const { apiUrl } of hosts) await balancer.untilServing(apiUrl);
    await stack.callBack(balancer);
    return new TwoHosts(stack, balancer, hosts);
  }

  /**
   * Replaces one process after the other: SIGTERM, wait for its end, start its successor, wait until that is ready. A
   * client of `account` holds connections to each API process meanwhile.
   *
   * @returns what went wrong
   */
  async roll(account: FaultAccount): Promise<string[]> {
    const found: string[] = [];
    for (const host of this.hosts) {
      const held = await HeldConnections.open(host.api, account);
      const apiEnds = this.end('api', host.api);
      await held.finish();
      found.push(...(await apiEnds), ...(await held.findings(this.stack)));
      await this.startApi(host);
      found.push(...(await this.end('worker', host.worker)));
      await this.startWorker(host);
    }
    return found;
  }

  /** Kills both processes of one host, and starts them again after `awayMs`. */
  async loseHost(awayMs: number): Promise<{ readonly url: string; readonly at: number }> {
    const [host] = this.hosts;
    if (host === undefined) throw new Error('there are two hosts');
    const at = Date.now();
    for (const { process } of [host.api, host.worker]) process.signal('SIGKILL');
    await Promise.all([host.api.process.exit, host.worker.process.exit]);
    await pause(awayMs);
    await Promise.all([this.startApi(host), this.startWorker(host)]);
    return { url: host.apiUrl, at };
  }

  async stop(): Promise<void> {
    await this.stack.stop();
    await this.balancer.stop();
  }

  private async end(role: string, { process }: FaultService): Promise<string[]> {
    const signalledAt = Date.now();
    process.signal('SIGTERM');
    const ended = await process.ends();
    if (ended === undefined) return [`SIGTERM has not ended the ${role}:\n${process.lastWords}`];
    say(`  the ${role} ended with ${ended.how} after ${ended.at - signalledAt} ms`);
    return ended.how === 0 ? [] : [`SIGTERM ended the ${role} with ${ended.how}:\n${process.lastWords}`];
  }

  private async startApi(host: Host): Promise<void> {
    host.api = await this.stack.service(host.apiEnv);
    await this.balancer.untilServing(host.apiUrl);
  }

  private async startWorker(host: Host): Promise<void> {
    host.worker = await this.stack.service(host.workerEnv);
    await untilReady(host.workerUrl);
  }
}

async function startHost(stack: FaultStack): Promise<Host> {
  const start = async (env: (port: number) => Readonly<Record<string, string>>) =>
    onFreePort(async (port) => ({
      env: env(port),
      url: `http://127.0.0.1:${port}`,
      service: await stack.service(env(port)),
    }));
  const [api, worker] = await Promise.all([
    start((port) => ({
      PARLEY_ROLES: 'api',
      HOST: '127.0.0.1',
      PORT: String(port),
      SHUTDOWN_GRACE_MS: String(GRACE_MS),
    })),
    start((port) => ({ PARLEY_ROLES: 'worker', METRICS_PORT: String(port), SHUTDOWN_GRACE_MS: '0' })),
  ]);
  await untilReady(worker.url);
  return {
    apiUrl: api.url,
    apiEnv: api.env,
    workerUrl: worker.url,
    workerEnv: worker.env,
    api: api.service,
    worker: worker.service,
  };
}

async function untilReady(url: string): Promise<void> {
  const isReady = async () =>
    fetch(`${url}/health/ready`).then(
      (response) => response.ok,
      () => false,
    );
  await until(`${url} is ready`, isReady);
}
