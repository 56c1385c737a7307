import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { uniqueDigits } from '../support/test-account.js';
import { readReports, type SentMessage, signedCallback } from './callbacks.js';
import type { FaultAccount, FaultService, FaultStack } from './fault-stack.js';
import { measured } from './load.js';

/** What an account can do too much of. */
export const EXCESSES = ['searches', 'imports', 'sends', 'reports'] as const;
export type Excess = (typeof EXCESSES)[number];

/** Requests of each kind that an account keeps under way. A standard key allows so many searches at once. */
const AT_ONCE: Readonly<Record<Excess, number>> = { searches: 98, imports: 4, sends: 50, reports: 30 };
const IMPORTED_ROWS = 5000;
/** What a key is usually allowed. */
const REQUESTS_A_MINUTE = 100;
/** Messages that all reports of the crowd are about: so few that they wait for each other's rows. */
const REPORTED_MESSAGES = 20;
/** Files that are imported in turn. */
const FILES = 20;

/** How often a request was answered so. */
interface Answers {
  readonly name: Excess;
  readonly status: number | string;
  readonly count: number;
  /** One of them. */
  readonly text: string;
}

/** One account that does its worst, as fast as it is answered. */
export class Crowd {
  private answers: readonly Answers[] = [];
  private child: ChildProcess | null = null;
  private victims: readonly SentMessage[] = [];
  /** Every send goes to this one contact, so that they wait for its row. */
  private readonly contact = `4917${uniqueDigits().slice(-8)}`;

  private constructor(
    private readonly service: FaultService,
    readonly account: FaultAccount,
  ) {}

  /** @param contacts how many contacts the account has to search in */
  static async of(stack: FaultStack, service: FaultService, contacts: number): Promise<Crowd> {
    const account = await stack.account(service, { rateLimit: REQUESTS_A_MINUTE });
    const crowd = new Crowd(service, account);
    await fillContacts(stack, account, contacts);
    for (let sent = 0; sent < REPORTED_MESSAGES; sent += 1) {
      const { url, init, bodies } = crowd.requests('sends');
      const { status, text } = await measured(url, { ...init, body: bodies[0] ?? null });
      if (status !== 200) throw new Error(`a send was answered ${status} ${text}`);
    }
    crowd.victims = await stack.simulator.ledger(account.phone.phoneNumberId);
    return crowd;
  }

  /** Starts to make requests, in a process of its own. */
  start(excesses: readonly Excess[]): void {
    const child = fork(path.join(__dirname, 'insist.mjs'), { execArgv: [] });
    this.child = child;
    child.send(excesses.map((excess) => ({ name: excess, atOnce: AT_ONCE[excess], ...this.requests(excess) })));
  }

  /** Stops, and waits for what is under way. */
  async stop(): Promise<void> {
    const child = this.child;
    if (child === null) return;
    const answered = once(child, 'message');
    child.send('stop');
    const [answers] = (await answered) as [Answers[]];
    this.answers = answers;
  }

  /** What became of it: `searches 200 × 31, 503 × 4`. */
  get summary(): string {
    return EXCESSES.flatMap((excess) => {
      const told = this.answers
        .filter(({ name }) => name === excess)
        .map(({ status, count }) => `${status} × ${count}`);
      return told.length === 0 ? [] : [`${excess} ${told.join(', ')}`];
    }).join('; ');
  }

  /** Answers that a crowd must not get either. */
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

/** The same request with one body after the other. */
interface Requests {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Record<string, string> };
  readonly bodies: readonly (string | null)[];
}

/** A file of contacts, other ones each time. */
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
