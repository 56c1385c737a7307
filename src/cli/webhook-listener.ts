import { connect } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { SECOND } from '../values/clock.js';
import { CommandFailure } from './command-failure.js';
import { ApiRefusal, type JsonApi } from './json-api.js';
import { FORWARD_TIMEOUT, forwardWebhook } from './webhook-forwarder.js';
import { eventOf, type ListeningEndpoint, type WebhookPrinter } from './webhook-printer.js';
import { type ReceivedWebhook, type WebhookAnswer, WebhookReceiver } from './webhook-receiver.js';

const WEBHOOKS = '/api/v1/webhooks/';
/** Lets a later run recognise an endpoint that a killed run on this machine left behind. */
const PATH = `/parley-cli-listen/${encodeURIComponent(hostname())}`;
/** How long Parley may take to attempt the test webhook on a busy machine, and how often its attempts are checked. */
const PROBE_TIMEOUT_MS = 20 * SECOND;
const CHECK_EVERY_MS = SECOND;

/** The options of `webhooks listen`. */
export interface ListenOptions {
  readonly secret: string;
  /** Null: those that every endpoint gets. */
  readonly events: readonly string[] | null;
  /** The URL that each webhook is forwarded to, or null. */
  readonly forward: string | null;
  /** 0: any free port. */
  readonly port: number;
  /** The URL at which Parley reaches the port; null when both are on the same machine. */
  readonly publicUrl: string | null;
}

/**
 * Receives an account's webhooks on this machine. Registers an endpoint, checks with a test event that it is reachable,
 * and removes it at the end.
 */
export class WebhookListener {
  private isReached = false;
  private announce: () => void;
  /** Resolves once the endpoint is printed. Webhooks that arrive earlier wait for it. */
  private readonly announced = new Promise<void>((resolve) => {
    this.announce = resolve;
  });

  constructor(
    private readonly api: JsonApi,
    private readonly printer: WebhookPrinter,
    private readonly options: ListenOptions,
  ) {}

  /**
   * Listens until `signal` is aborted.
   *
   * @throws CommandFailure when the port is taken, Parley refuses the endpoint, or nothing arrives
   */
  async listen(signal: AbortSignal): Promise<void> {
    const { secret, port, publicUrl } = this.options;
    const take = (webhook: ReceivedWebhook) => this.take(webhook, signal);
    const receiver = await WebhookReceiver.listen({ secret, port, path: PATH, take }).catch((error: Error) => {
      throw new CommandFailure(`cannot listen on port ${port}: ${error.message}`);
    });
    try {
      const url = publicUrl === null ? receiver.url : publicUrl.replace(/(?<!\/)\/+$/, '') + PATH;
      await this.removeLeftovers(url);
      const endpoint = await this.register(url);
      try {
        await this.probe(endpoint, signal);
        if (!signal.aborted) this.printer.ready(endpoint, secret, this.options.forward);
        this.announce();
        await aborted(signal);
      } finally {
        await this.remove(endpoint);
      }
    } finally {
      await receiver.close();
    }
  }

  private async take(webhook: ReceivedWebhook, signal: AbortSignal): Promise<WebhookAnswer> {
    const { forward } = this.options;
    if (!this.isReached && webhook.failure === null && eventOf(webhook) === 'webhook.test') {
      this.isReached = true;
      return { status: 204 };
    }
    await this.announced;
    this.printer.arrived(webhook);
    const isPassedOn = forward !== null && webhook.failure === null;
    const forwarded = isPassedOn ? await forwardWebhook(forward, webhook, signal) : null;
    if (!signal.aborted) this.printer.answered(webhook, forwarded);
    if (webhook.failure !== null) return { status: 401, body: webhook.failure };
    return forwarded?.answer ?? { status: 204 };
  }

  private async register(url: string): Promise<ListeningEndpoint> {
    const { secret, events } = this.options;
    const settings = {
      url,
      secret,
      timeout: FORWARD_TIMEOUT,
      ...(events === null ? {} : { subscribed_events: events }),
    };
    try {
      const { webhook } = await this.api.post<{ webhook: ListeningEndpoint }>(WEBHOOKS, settings);
      return webhook;
    } catch (error) {
      const refused = error instanceof ApiRefusal && error.status === 400 && error.reason.startsWith('url ');
      throw refused
        ? new CommandFailure(`${this.api.baseUrl} does not deliver to ${url}: ${error.reason}. ${REMEDY}`)
        : error;
    }
  }

  /** Waits until a test event has arrived. */
  private async probe(endpoint: ListeningEndpoint, signal: AbortSignal): Promise<void> {
    await this.api.post(`${WEBHOOKS}${endpoint.id}/test`);
    const began = performance.now();
    for (let checks = 1; !this.isReached && !signal.aborted; ) {
      await sleep(20, undefined, { signal }).catch(() => undefined);
      const waitedMs = performance.now() - began;
      if (this.isReached || waitedMs < checks * CHECK_EVERY_MS) continue;
      checks += 1;
      await this.checkProbe(endpoint, waitedMs > PROBE_TIMEOUT_MS);
    }
  }

  /** @throws CommandFailure when an attempt of the test event has failed, or when it is `late` without an attempt */
  private async checkProbe({ id, url }: ListeningEndpoint, late: boolean): Promise<void> {
    const { deliveries } = await this.api.get<{ deliveries: { attempts: { error: string | null }[] }[] }>(
      `${WEBHOOKS}${id}/deliveries`,
    );
    const error = deliveries[0]?.attempts[0]?.error;
    if (error) throw new CommandFailure(`a test event could not be delivered to ${url}: ${error}. ${REMEDY}`);
    if (late) throw new CommandFailure(`no test event has been sent to ${url}: is a worker of Parley running?`);
  }

  /** Removes endpoints with this URL, and those that killed runs on this machine left behind. */
  private async removeLeftovers(url: string): Promise<void> {
    const { webhooks } = await this.api.get<{ webhooks: ListeningEndpoint[] }>(`${WEBHOOKS}?limit=100`);
    for (const webhook of webhooks) {
      const [, port] = /^http:\/\/127\.0\.0\.1:(\d+)(\/.*)$/.exec(webhook.url) ?? [];
      const isDead = webhook.url.endsWith(PATH) && port !== undefined && !(await isListening(Number(port)));
      if (webhook.url === url || isDead) await this.remove(webhook);
    }
  }

  private async remove({ id }: ListeningEndpoint): Promise<void> {
    try {
      await this.api.delete(WEBHOOKS + id);
    } catch (error) {
      if (error instanceof ApiRefusal && error.status === 404) return;
      throw new CommandFailure(`webhook ${id} could not be removed: ${(error as Error).message}`);
    }
  }
}

const REMEDY =
  'Parley delivers to its own machine if its EGRESS_ALLOW includes 127.0.0.0/8, as in the sandbox; if it runs elsewhere, ' +
  'open a tunnel to this port and pass its https URL with --public-url';

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
