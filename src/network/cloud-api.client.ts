import { Readable } from 'node:stream';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'undici';
import type { Environment } from '../config/environment.js';
import { ENVIRONMENT } from '../config/environment.token.js';
import { Metrics } from '../runtime/metrics.js';
import { isTracing, type Span, type SpanStart, traced } from '../tracing/spans.js';
import { now } from '../values/clock.js';
import { retryAfterMs } from '../values/retry-after.js';
import { storableText } from '../values/storable-text.js';
import { CircuitBreaker } from './circuit-breaker.js';
import { type GraphAnswer, GraphExchange } from './graph-exchange.js';
import { type Acceptance, MessagingNetwork, type NetworkCall } from './network.js';
import { NetworkOutcomeUnknown, NetworkRefusal, NetworkUnreachable } from './network-error.js';
import { type SendOrigin, SendOutcomes } from './send-outcomes.js';

/** Maximum connections per process: more than the campaign messages it has in flight. */
const MAX_CONNECTIONS = 2048;
/** Milliseconds before we close an idle connection: sooner than the network would, so no request hits a dying one. */
const IDLE_MS = 4000;

interface GraphError {
  readonly code?: unknown;
  readonly error_subcode?: unknown;
  readonly is_transient?: unknown;
  readonly message?: unknown;
  readonly error_user_msg?: unknown;
  readonly error_data?: { readonly details?: unknown };
}

interface SendAnswer {
  readonly contacts?: readonly { readonly wa_id?: string; readonly user_id?: string }[];
  readonly messages?: readonly { readonly id?: string; readonly message_status?: string }[];
}

/** Calls the WhatsApp Cloud API over keep-alive connections. */
@Injectable()
export class CloudApiClient extends MessagingNetwork implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly prefix: string;
  private readonly breaker = new CircuitBreaker();
  private readonly outcomes: SendOutcomes;

  private readonly timeoutMs: number;

  constructor(@Inject(ENVIRONMENT) { network }: Pick<Environment, 'network'>, metrics: Metrics) {
    super();
    this.timeoutMs = network.timeoutMs;
    this.outcomes = new SendOutcomes(metrics);
    const base = new URL(network.baseUrl);
    this.prefix = `${base.pathname.replace(/\/$/, '')}/${network.apiVersion}`;
    this.pool = new Pool(base.origin, {
      connections: MAX_CONNECTIONS,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      connect: { timeout: Math.min(network.timeoutMs, 5000) },
      headersTimeout: network.timeoutMs,
      bodyTimeout: network.timeoutMs,
    });
  }

  async send(
    phoneNumberId: string,
    token: string,
    body: Readonly<Record<string, unknown>> | string,
    origin: SendOrigin,
  ): Promise<Acceptance> {
    try {
      const call = { method: 'POST', path: `/${phoneNumberId}/messages`, token, body } as const;
      // A campaign has one span for each group of messages.
      const isTraced = origin !== 'campaign' && isTracing();
      const acceptance = acceptanceIn(
        isTraced ? await this.call<SendAnswer>(call) : await this.callOnce<SendAnswer>(call, null),
      );
      this.outcomes.accepted(origin);
      return acceptance;
    } catch (error) {
      this.outcomes.failed(origin, error);
      throw error;
    }
  }

  call<Answer>(call: NetworkCall): Promise<Answer> {
    return traced(
      () => spanOf(call),
      (span) => this.callOnce<Answer>(call, span),
    );
  }

  private async callOnce<Answer>(call: NetworkCall, span: Pick<Span, 'set'> | null): Promise<Answer> {
    if (!this.breaker.allows()) throw new NetworkUnreachable('the network could not be reached a moment ago');
    let answer: GraphAnswer;
    try {
      answer = await this.exchange(call);
      this.breaker.recordReached();
    } catch (error) {
      if (error instanceof NetworkUnreachable) this.breaker.recordUnreachable();
      else this.breaker.recordReached();
      throw error;
    }
    span?.set({ 'http.response.status_code': answer.status });
    try {
      return read<Answer>(answer);
    } catch (error) {
      if (error instanceof NetworkRefusal) span?.set({ 'parley.network.error_code': error.code });
      throw error;
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private exchange({
    method,
    path,
    token,
    body,
    headers,
    timeoutMs = this.timeoutMs,
  }: NetworkCall): Promise<GraphAnswer> {
    const raw = Buffer.isBuffer(body) || body instanceof Readable;
    const limitMs = Math.min(timeoutMs, this.timeoutMs);
    return new Promise((resolve, reject) => {
      this.pool.dispatch(
        {
          method,
          path: this.prefix + path,
          headers: {
            ...(token === null ? {} : { authorization: `Bearer ${token}` }),
            ...(body === undefined || raw ? {} : { 'content-type': 'application/json' }),
            ...headers,
          },
          headersTimeout: limitMs,
          bodyTimeout: limitMs,
          body: body === undefined || raw || typeof body === 'string' ? body : JSON.stringify(body),
        },
        new GraphExchange(limitMs, resolve, reject),
      );
    });
  }
}

function acceptanceIn({ messages, contacts }: SendAnswer): Acceptance {
  const message = messages?.[0];
  if (typeof message?.id !== 'string') throw new NetworkOutcomeUnknown('the network answered without a message id');
  return {
    networkMessageId: message.id,
    waId: contacts?.[0]?.wa_id ?? null,
    userId: contacts?.[0]?.user_id ?? null,
    held: message.message_status === 'held_for_quality_assessment' || message.message_status === 'paused',
  };
}

/** Of the path, only the words of the network's own vocabulary: ids, names and upload sessions identify customers. */
function spanOf({ method, path }: NetworkCall): SpanStart {
  const segments = path.split('?', 1)[0]?.split('/') ?? [];
  const template = segments.map((segment) => (NETWORK_WORD.test(segment) ? segment : '{id}')).join('/');
  return {
    name: `${method} ${template}`,
    kind: 'client',
    attributes: { 'http.request.method': method, 'url.template': template },
  };
}

const NETWORK_WORD =
  /^(?:|messages|message_templates|uploads|debug_token|subscriptions|subscribed_apps|phone_numbers|register|oauth|access_token|message_history)$/;

/** Returns the parsed body, or throws the error that the answer carries. */
function read<Answer>({ status, headers, text }: GraphAnswer): Answer {
  let body: { error?: GraphError } | null = null;
  try {
    body = JSON.parse(text) as { error?: GraphError };
  } catch {
    // Not JSON: handled below by status.
  }
  const error = body?.error;
  if (typeof error?.code === 'number') {
    const details = error.error_data?.details ?? error.error_user_msg;
    throw new NetworkRefusal({
      code: error.code,
      subcode: typeof error.error_subcode === 'number' ? error.error_subcode : null,
      message: storableText(
        [error.message, details].filter((part) => typeof part === 'string' && part !== '').join(': '),
      ),
      retryAfterMs: retryAfterMs(headers['retry-after'], now()),
      isTransient: error.is_transient === true,
    });
  }
  if (status >= 200 && status < 300 && body !== null) return body as Answer;
  throw new NetworkOutcomeUnknown(`the network answered ${status} without a usable body`);
}
