import { type IncomingHttpHeaders, request } from 'node:http';
import { crowd } from '../support/crowd.js';
import type { TestAccount } from '../support/world.js';
import { list } from './books.js';
import type { Reachable } from './fault-stack.js';
import { GIVE_UP_MS } from './load.js';
import { pause } from './pause.js';

/** The window in which requests are counted, milliseconds. */
export const SPAN_MS = 60_000;
/** How far the clocks of this process and of the store may drift apart within a test, milliseconds. */
const DRIFT_MS = 20;
/** As many requests find a connection to the database at once in two processes, and none is refused for want of one. */
const AT_ONCE = 20;
/** How many bursts may wait for answers. */
const MAX_BURSTS = 2;

/** A request with its answer. It was counted some time between the two times, which are monotonic milliseconds. */
export interface CountedRequest {
  readonly sentAt: number;
  readonly answeredAt: number;
  /** The HTTP status, or the reason for a missing answer. */
  readonly status: number | string;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds. */
  readonly reset: number;
  readonly retryAfter: number;
}

/**
 * Makes requests with one API key to several processes, and judges their answers by the times at which they can have
 * been counted. No judgement depends on how fast the machine is: the slower it is, the wider are the bounds.
 */
export class LimitedKey {
  private requests: CountedRequest[] = [];
  private turn = 0;

  /**
   * @param limit of the key
   * @param coarseMs how much later than after a minute a request may leave the window
   */
  constructor(
    private readonly processes: readonly Reachable[],
    readonly account: TestAccount,
    private readonly limit: number,
    private readonly coarseMs = 0,
  ) {}

  /** Makes requests, many at the same time, each over a connection of its own, to one process or to all in turn. */
  burst(count: number, to: readonly Reachable[] = this.processes): Promise<CountedRequest[]> {
    return crowd(count, () => this.make(to), AT_ONCE);
  }

  /** Makes bursts of `count` requests until `ms` have passed. */
  async hammer(count: number, { everyMs, forMs }: { everyMs: number; forMs: number }): Promise<void> {
    const bursts = new Set<Promise<unknown>>();
    for (const endAt = performance.now() + forMs; performance.now() < endAt; await pause(everyMs)) {
      const burst = this.burst(count).finally(() => bursts.delete(burst));
      bursts.add(burst);
      if (bursts.size > MAX_BURSTS) await Promise.race(bursts);
    }
    await Promise.all(bursts);
  }

  /** Notes that the store's windows were moved back, as if `ms` had passed since. */
  passed(ms: number): void {
    this.requests = this.requests.map((each) => ({
      ...each,
      sentAt: each.sentAt - ms,
      answeredAt: each.answeredAt - ms,
    }));
  }

  /** Number of requests with an answer of this status. */
  count(status: number): number {
    return this.requests.filter((each) => each.status === status).length;
  }

  /** The largest number of accepted requests that were certainly within one window. */
  get mostInAWindow(): number {
    const windows = this.accepted.map(
      ({ sentAt: from }) =>
        this.accepted.filter(({ sentAt, answeredAt }) => sentAt >= from && answeredAt < from + SPAN_MS - DRIFT_MS)
          .length,
    );
    return Math.max(0, ...windows);
  }

  /** Everything that is certainly wrong while one store counts. */
  findings(): string[] {
    const most = this.mostInAWindow;
    return [
      ...(most > this.limit ? [`${most} requests were accepted within a minute, at a limit of ${this.limit}`] : []),
      ...this.badAnswers(),
      ...list(
        'requests were refused although the window had room',
        this.answered.filter((each) => each.status === 429 && this.maxUsed(each) < this.limit).map(show),
      ),
      ...list(
        'answers have a wrong RateLimit-Remaining',
        this.answered.filter((each) => !this.hasTrueRemaining(each)).map(show),
      ),
      ...list(
        'answers have a wrong RateLimit-Reset',
        this.answered.filter((each) => !this.hasTrueReset(each)).map(show),
      ),
    ];
  }

  /** Answers that no key may ever get, or whose headers contradict each other. */
  badAnswers(): string[] {
    const max = Math.ceil((SPAN_MS + this.coarseMs) / 1000);
    const isWhole = (seconds: number) => Number.isInteger(seconds) && seconds >= 1 && seconds <= max;
    return [
      ...list('requests were answered neither 200 nor 429', this.requests.filter((each) => !isAnswer(each)).map(show)),
      ...list(
        'answers have odd headers',
        this.answered
          .filter(({ limit, reset }) => limit !== this.limit || !isWhole(reset))
          .concat(
            this.answered.filter(isRefusal).filter((each) => each.retryAfter !== each.reset || each.remaining !== 0),
          )
          .map(show),
      ),
    ];
  }

  private get accepted(): CountedRequest[] {
    return this.requests.filter(({ status }) => status === 200);
  }

  private get answered(): CountedRequest[] {
    return this.requests.filter(isAnswer);
  }

  /** Requests that may have been in the window when this one was counted: also those whose answer was lost. */
  private possible({ sentAt, answeredAt }: CountedRequest): CountedRequest[] {
    return this.requests.filter(
      (each) =>
        !isRefusal(each) && each.sentAt <= answeredAt && each.answeredAt + SPAN_MS + this.coarseMs + DRIFT_MS >= sentAt,
    );
  }

  /** Requests that were certainly in the window when this one was counted, itself included if it was accepted. */
  private certain(request: CountedRequest): CountedRequest[] {
    const { sentAt, answeredAt } = request;
    return this.accepted.filter(
      (each) => each === request || (each.answeredAt <= sentAt && each.sentAt + SPAN_MS - DRIFT_MS > answeredAt),
    );
  }

  private maxUsed(request: CountedRequest): number {
    return this.possible(request).length;
  }

  private hasTrueRemaining(request: CountedRequest): boolean {
    const used = this.limit - request.remaining;
    return used >= this.certain(request).length && used <= Math.min(this.limit, this.maxUsed(request));
  }

  /** The time until the oldest request leaves the window. */
  private hasTrueReset(request: CountedRequest): boolean {
    const seconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
    const firstPossible = Math.min(...this.possible(request).map(({ sentAt }) => sentAt));
    const firstCertain = Math.min(request.answeredAt, ...this.certain(request).map(({ answeredAt }) => answeredAt));
    const least = firstPossible + SPAN_MS - DRIFT_MS - request.answeredAt;
    const most = firstCertain + SPAN_MS + this.coarseMs + DRIFT_MS - request.sentAt;
    return request.reset >= Math.min(seconds(least), SPAN_MS / 1000) && request.reset <= seconds(most);
  }

  private async make(to: readonly Reachable[]): Promise<CountedRequest> {
    this.turn += 1;
    const { baseUrl } = to[this.turn % to.length] ?? { baseUrl: '' };
    const sentAt = performance.now();
    const { status, headers } = await get(`${baseUrl}/api/v1/agents/?limit=1`, this.account.apiKey);
    const number = (name: string) => Number(headers[name] ?? Number.NaN);
    const made = {
      sentAt,
      answeredAt: performance.now(),
      status,
      limit: number('ratelimit-limit'),
      remaining: number('ratelimit-remaining'),
      reset: number('ratelimit-reset'),
      retryAfter: number('retry-after'),
    };
    this.requests.push(made);
    return made;
  }
}

const isRefusal = ({ status }: CountedRequest): boolean => status === 429;
const isAnswer = ({ status }: CountedRequest): boolean => status === 200 || status === 429;

const show = ({ sentAt, answeredAt, ...answer }: CountedRequest): string =>
  `${JSON.stringify(answer)} between ${sentAt.toFixed(0)} and ${answeredAt.toFixed(0)} ms`;

function get(
  url: string,
  apiKey: string,
): Promise<{ readonly status: number | string; readonly headers: IncomingHttpHeaders }> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? error.message, headers: {} });
    const headers = { authorization: `Bearer ${apiKey}` };
    const outgoing = request(url, { agent: false, headers, timeout: GIVE_UP_MS }, (response) => {
      response.once('error', failed);
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
      response.resume();
    });
    outgoing.once('timeout', () => outgoing.destroy(new Error('timeout')));
    outgoing.once('error', failed);
    outgoing.end();
  });
}
