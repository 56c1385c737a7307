import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { uniqueDigits } from '../support/test-account.js';
import { Hopeless, until } from '../support/until.js';
import { readReports, type SentMessage, signedCallback } from './callbacks.js';
import type { FaultAccount, FaultService, FaultStack } from './fault-stack.js';
import { measured } from './load.js';

/** The kinds of overload that an account can cause. */
export const EXCESSES = ['searches', 'imports', 'sends', 'reports'] as const;
export type Excess = (typeof EXCESSES)[number];

/** Concurrent requests of each kind. The number of searches stays within a standard key's rate limit. */
const CONCURRENCY: Readonly<Record<Excess, number>> = { searches: 98, imports: 4, sends: 50, reports: 30 };
const IMPORTED_ROWS = 5000;
/** The default rate limit of a key. */
const REQUESTS_A_MINUTE = 100;
/** Messages that the reports are about: so few that they contend for the same rows. */
const REPORTED_MESSAGES = 20;
/** Number of different files to import in turn. */
const FILES = 20;

/** The count of one status for one kind of request. */
interface Answers {
  readonly name: Excess;
  readonly status: number | string;
  readonly count: number;
  /** An example body. */
  readonly text: string;
}

/** How long the last requests of a crowd may take, milliseconds; they give up after 100 s. */
const STOPS_WITHIN_MS = 150_000;

/** The processes that still send requests. A test that throws before it stops its crowd leaves one. */
const running = new Set<ChildProcess>();

afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** Overloads the service from one account, with requests as fast as they are answered. */
export class Crowd {
  private answers: readonly Answers[] = [];
  private child: ChildProcess | null = null;
  private victims: readonly SentMessage[] = [];
  /** Every send goes to this contact, so that they contend for its row. */
  private readonly contact = `4917${uniqueDigits().slice(-8)}`;

  private constructor(
    private readonly service: FaultService,
    readonly account: FaultAccount,
  ) {}

  /** @param contacts number of contacts that searches go through */
  static async of(stack: FaultStack, service: FaultService, contacts: number): Promise<Crowd> {
    const account = await stack.account(service, { rateLimit: REQUESTS_A_MINUTE });
    const crowd = new Crowd(service, account);
    await fillContacts(stack, account, contacts);
    for (let sent = 0; sent < REPORTED_MESSAGES; sent += 1) {
      const { url, init, bodies } = crowd.requests('sends');
      await until('a send is accepted', async () => {
        const { status, text } = await measured(url, { ...init, body: bodies[0] ?? null });
        if (status !== 200 && status !== 503) throw new Hopeless(`a send was answered ${status} ${text}`);
        return status === 200;
      });
    }
    crowd.victims = await stack.simulator.ledger(account.phone.phoneNumberId);
    return crowd;
  }

  /** Starts the requests in a separate process. */
  start(excesses: readonly Excess[]): void {
    // With our output, a child that outlives us would keep open what jest's parent reads to its end.
    const child = fork(path.join(__dirname, 'insist.mjs'), { execArgv: [], stdio: 'ignore' });
    running.add(child);
    child.once('exit', () => running.delete(child));
    this.child = child;
    child.send(
      excesses.map((excess) => ({ name: excess, concurrency: CONCURRENCY[excess], ...this.requests(excess) })),
    );
  }

  /** Stops and waits for pending requests. */
  async stop(): Promise<void> {
    const child = this.child;
    if (child === null) return;
    if (!child.connected) throw new Error('the crowd died before it was stopped');
    const died = new AbortController();
    child.once('disconnect', () => died.abort(new Error('the crowd died before it was stopped')));
    const answered = once(child, 'message', {
      signal: AbortSignal.any([died.signal, AbortSignal.timeout(STOPS_WITHIN_MS)]),
    });
    child.send('stop');
    const [answers] = (await answered) as [Answers[]];
    this.answers = answers;
  }

  /** The answers by kind: `searches 200 × 31, 503 × 4`. */
  get summary(): string {
    return EXCESSES.flatMap((excess) => {
      const counts = this.answers
        .filter(({ name }) => name === excess)
        .map(({ status, count }) => `${status} × ${count}`);
      return counts.length === 0 ? [] : [`${excess} ${counts.join(', ')}`];
    }).join('; ');
  }

  /** Answers that even an overloading account must not get. */
  get faults(): string[] {
    return this.answers
      .filter(({ status }) => ![200, 429, 503].includes(Number(status)))
      .map(({ name, status, count, text }) => `the crowd's ${name} got ${status} × ${count}, such as ${text}`);
  }

  private requests(excess: Excess): Requests {
    if (excess === 'searches') return this.toApi('GET', '/api/v1/contacts/?search=q', {}, [null]);
    if (excess === 'imports') {
      const files = Array.from({ length: FILES }, () => csv());
      return this.toApi('POST', '/api/v1/contacts/import', { 'content-type': 'text/csv' }, files);
    }
    if (excess === 'sends') {
      const body = JSON.stringify({ template_name: this.account.template, contact_phone: this.contact });
      return this.toApi('POST', '/api/v1/messages/send', { 'content-type': 'application/json' }, [body]);
    }
    const { headers, body } = signedCallback(this.account.phone, readReports(this.victims));
    return { url: `${this.service.baseUrl}/network/callbacks`, init: { method: 'POST', headers }, bodies: [body] };
  }

  private toApi(
    method: string,
    route: string,
    headers: Record<string, string>,
    bodies: readonly (string | null)[],
  ): Requests {
    const authorization = `Bearer ${this.account.apiKey}`;
    return { url: `${this.service.baseUrl}${route}`, init: { method, headers: { authorization, ...headers } }, bodies };
  }
}

/** A request that is repeated with each body in turn. */
interface Requests {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Record<string, string> };
  readonly bodies: readonly (string | null)[];
}

/** A CSV file of new contacts. */
export function csv(rows = IMPORTED_ROWS): string {
  const first = Math.floor(Math.random() * 900_000_000);
  const lines = Array.from({ length: rows }, (_, row) => `4916${String(first + row).padStart(9, '0')},Ada,Lindgrove`);
  return `phone_number,first_name,last_name\n${lines.join('\n')}\n`;
}

async function fillContacts(stack: FaultStack, { accountId }: FaultAccount, contacts: number): Promise<void> {
  await stack.query(
    `INSERT INTO contacts (account_id, id, phone_number, first_name, last_name, email, source)
     SELECT $1, new_record_id(), '4916' || lpad((n * 387420489 % 1000000000)::text, 9, '0'), 'Ada', 'Lindgrove ' || n,
            'ada' || n || '@mail.example', 'import'
     FROM generate_series(1, $2::bigint) n`,
    [accountId, contacts],
  );
  await stack.query('ANALYZE contacts');
}
