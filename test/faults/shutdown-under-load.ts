import { Agent, request } from 'undici';
import { closed, opened } from '../support/left-open.js';
import { uniquePhone } from '../support/test-account.js';
import { Books } from './books.js';
import { type FaultAccount, type FaultService, FaultStack } from './fault-stack.js';
import { say, statusesOf } from './figures.js';
import type { Outcome } from './load.js';
import { pause } from './pause.js';
import type { SendOutcome } from './traffic.js';
import { IS_QUICK, isRefusedForNow } from './verdict.js';

const CONNECTIONS = 30;
const BUSY_MS = 2000;
/** Longest pause of a client between two requests on its connection, milliseconds. */
const MAX_IDLE_MS = 100;
/** How often the load balancer polls readiness, milliseconds. */
const POLL_MS = 100;
const NOTICED_WITHIN_MS = 60_000;
/** The longest time for which a process goes on answering: on a busy machine its end is noticed late. */
const GRACE_MS = 10_000;

/**
 * Shuts a process down under clients with keep-alive connections, which stop once a load balancer sees /health/ready
 * fail.
 *
 * @returns what went wrong
 */
export async function shutDownUnderLoad(rounds: number): Promise<string[]> {
  const stack = await FaultStack.start({ SHUTDOWN_GRACE_MS: String(GRACE_MS) });
  try {
    const found: string[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const service = await stack.mainService();
      const account = await stack.account(service);
      const clients = new KeptConnections(service, account);
      await pause(BUSY_MS);
      const signalledAt = Date.now();
      service.process.signal('SIGTERM');
      const noticed = await untilNotReady(service);
      await clients.stop();
      const ended = await service.process.ends();
      const { outcomes } = clients;
      say(
        `${statusesOf(outcomes)} on ${CONNECTIONS} connections; ready was ${noticed.status} after ${noticed.at - signalledAt} ms; ended ${ended === undefined ? 'never' : `with ${ended.how} after ${ended.at - signalledAt} ms`}`,
      );
      const isFine = ({ status, text }: Outcome) =>
        status === 200 || (IS_QUICK && status === 503 && isRefusedForNow(text));
      const broken = outcomes.filter((outcome) => !isFine(outcome));
      if (broken.length > 0) found.push(`${broken.length} of ${outcomes.length} requests: ${statusesOf(broken)}`);
      if (noticed.status !== 503) found.push(`ready was ${noticed.status}, not 503, before the port closed`);
      if (ended?.how !== 0) found.push(`SIGTERM ended the process with ${ended?.how ?? 'nothing'}`);
      const next = await stack.mainService();
      found.push(...(await new Books(stack).findings({ account, sends: clients.sends })));
      await next.process.kill();
    }
    return found;
  } finally {
    await stack.stop();
  }
}

/** Clients that each send requests over one keep-alive connection, with pauses. */
class KeptConnections {
  readonly outcomes: Outcome[] = [];
  readonly sends: SendOutcome[] = [];
  private readonly agent = new Agent({ connections: CONNECTIONS, pipelining: 1, keepAliveTimeout: 60_000 });
  private readonly clients: Promise<void>[];
  private stopped = false;

  constructor(
    private readonly service: FaultService,
    private readonly account: FaultAccount,
  ) {
    opened(this, 'KeptConnections', () => this.stop());
    this.clients = Array.from({ length: CONNECTIONS }, (_, place) => this.sendRequests(place));
  }

  async stop(): Promise<void> {
    closed(this);
    this.stopped = true;
    await Promise.all(this.clients);
    await this.agent.close();
  }

  private async sendRequests(place: number): Promise<void> {
    while (!this.stopped) {
      if (place % 3 === 0) await this.send();
      else this.outcomes.push(await this.request('GET', '/api/v1/contacts/?limit=5'));
      await pause(Math.random() * MAX_IDLE_MS);
    }
  }

  private async send(): Promise<void> {
    const phone = uniquePhone();
    const body = JSON.stringify({ template_name: this.account.template, contact_phone: phone });
    const outcome = await this.request('POST', '/api/v1/messages/send', body);
    this.outcomes.push(outcome);
    this.sends.push({ ...outcome, phone, messageId: /"message_id":"([^"]+)"/.exec(outcome.text)?.[1] ?? null });
  }

  private async request(method: 'GET' | 'POST', path: string, body?: string): Promise<Outcome> {
    const at = Date.now();
    try {
      const response = await request(`${this.service.baseUrl}${path}`, {
        method,
        dispatcher: this.agent,
        headers: {
          authorization: `Bearer ${this.account.apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      });
      const text = await response.body.text();
      return { at, ms: Date.now() - at, status: response.statusCode, retryAfter: null, text };
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      return { at, ms: Date.now() - at, status: code ?? message, retryAfter: null, text: message };
    }
  }
}

/** The first answer other than 200 that a load balancer sees: a 503, or a connection error. */
async function untilNotReady({
  baseUrl,
}: FaultService): Promise<{ readonly status: number | string; readonly at: number }> {
  const giveUpAt = Date.now() + NOTICED_WITHIN_MS;
  for (;;) {
    const status = await fetch(`${baseUrl}/health/ready`, { headers: { connection: 'close' } }).then(
      (response) => response.status,
      (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message,
    );
    if (status !== 200 || Date.now() > giveUpAt) return { status, at: Date.now() };
    await pause(POLL_MS);
  }
}
