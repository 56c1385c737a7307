import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { closed, opened } from '../support/left-open.js';
import { until } from '../support/until.js';
import { pause } from './pause.js';

/**
 * How often each host's readiness is checked, and how long it may take to answer, milliseconds. On a busy machine a host
 * that is well may stand still for seconds.
 */
const CHECK_EVERY_MS = 200;
const CHECK_WITHIN_MS = 60_000;
/** How long a host may take for a request, milliseconds. */
const ANSWER_WITHIN_MS = 90_000;
/** How long a request waits for a host while none is serving, milliseconds, and how often it looks for one. */
const QUEUED_MS = 30_000;
const LOOK_EVERY_MS = 50;
/** How long a client's idle connection stays open, milliseconds: longer than any test. */
const CLIENT_IDLE_MS = 300_000;
/** These concern one connection only and are not passed on. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade'];
/** Errors that leave open whether a host is still alive; any other one means that it broke an answer. */
const NOT_ANSWERED = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

/** A request that a host did not answer, or with a 5xx. */
export interface HostFault {
  readonly host: string;
  readonly request: string;
  readonly error: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether another host got the request. */
  readonly repeated: boolean;
}

interface Host {
  readonly url: string;
  readonly agent: Agent;
  isServing: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/**
 * A load balancer that treats its hosts as nginx and HAProxy do. It keeps connections to each of them, takes one out
 * when its `/health/ready` fails, and gives a request to the next host when the connection was refused, or reset before
 * any byte of the answer, if the request is safe or has an Idempotency-Key.
 */
export class LoadBalancer {
  /** Whatever the client got in the end. */
  readonly faults: HostFault[] = [];
  baseUrl = '';
  private readonly server: Server;
  private readonly hosts: Host[];
  private readonly checks: Promise<void>[];
  private turn = 0;
  private stopped = false;

  private constructor(urls: readonly string[]) {
    this.hosts = urls.map((url) => ({ url, agent: new Agent({ keepAlive: true }), isServing: false }));
    this.server = createServer({ keepAliveTimeout: CLIENT_IDLE_MS }, (incoming, response) => {
      this.answer(incoming, response).catch(() => response.destroy());
    });
    this.checks = this.hosts.map((host) => this.keepChecking(host));
  }

  static async start(hosts: readonly string[]): Promise<LoadBalancer> {
    const balancer = new LoadBalancer(hosts);
    await new Promise<void>((resolve) => balancer.server.listen(0, '127.0.0.1', resolve));
    balancer.baseUrl = `http://127.0.0.1:${(balancer.server.address() as AddressInfo).port}`;
    opened(balancer, 'a LoadBalancer', () => balancer.stop());
    return balancer;
  }

  /** Waits until the host is, or is not, given requests. */
  async untilServing(url: string, isServing = true): Promise<void> {
    await until(`${url} is ${isServing ? '' : 'not '}given requests`, () =>
      this.hosts.some((host) => host.url === url && host.isServing === isServing),
    );
  }

  async stop(): Promise<void> {
    closed(this);
    this.stopped = true;
    const over = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    for (const { agent } of this.hosts) agent.destroy();
    await Promise.all([...this.checks, over]);
  }

  private async keepChecking(host: Host): Promise<void> {
    while (!this.stopped) {
      host.isServing = await fetch(`${host.url}/health/ready`, {
        headers: { connection: 'close' },
        signal: AbortSignal.timeout(CHECK_WITHIN_MS),
      }).then(
        async (response) => {
          await response.text();
          return response.ok;
        },
        () => false,
      );
      await pause(CHECK_EVERY_MS);
    }
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bytesOf(incoming);
    const mayRepeat = incoming.method === 'GET' || incoming.headers['idempotency-key'] !== undefined;
    const tried = new Set<Host>();
    for (;;) {
      const host = this.next(tried) ?? (tried.size === 0 ? await this.first() : null);
      if (host === null) return refuse(response);
      tried.add(host);
      const fault = (error: string, repeated: boolean) =>
        this.faults.push({
          host: host.url,
          request: `${incoming.method} ${incoming.url}`,
          error,
          at: Date.now(),
          repeated,
        });
      try {
        const answer = await forward(host, incoming, body);
        if (answer.status >= 500) fault(`answered ${answer.status} ${answer.body}`, false);
        return send(response, answer);
      } catch (cause) {
        const { code = '', message } = cause as NodeJS.ErrnoException;
        const repeated = mayRepeat && NOT_ANSWERED.includes(code) && this.next(tried) !== null;
        // The next check finds out whether it is back.
        if (code === 'ECONNREFUSED') host.isServing = false;
        fault(code || message, repeated);
        if (!repeated) return refuse(response);
      }
    }
  }

  /** The first host that serves again; null if none does in time. */
  private async first(): Promise<Host | null> {
    for (const giveUpAt = performance.now() + QUEUED_MS; !this.stopped && performance.now() < giveUpAt; ) {
      const host = this.next(new Set());
      if (host !== null) return host;
      await pause(LOOK_EVERY_MS);
    }
    return null;
  }

  /** The serving hosts in turn. */
  private next(tried: ReadonlySet<Host>): Host | null {
    const serving = this.hosts.filter((host) => host.isServing && !tried.has(host));
    this.turn += 1;
    return serving[this.turn % serving.length] ?? null;
  }
}

/** Resolves with the whole answer. A rejection with a code of {@link NOT_ANSWERED} came before any byte of it. */
function forward({ url, agent }: Host, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers: { ...endToEnd(incoming.headers), 'content-length': body.length },
      agent,
      timeout: ANSWER_WITHIN_MS,
    });
    outgoing.once('error', reject);
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')));
    outgoing.once('response', (answer) => {
      const broken = () => reject(new Error('the answer broke off'));
      bytesOf(answer).then(
        (bytes) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: bytes }),
        broken,
      );
    });
    outgoing.end(body);
  });
}

function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...endToEnd(headers), 'content-length': body.length }).end(body);
}

function refuse(response: ServerResponse): void {
  response.writeHead(502, { 'content-type': 'text/plain' }).end('no host has answered');
}

const endToEnd = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
