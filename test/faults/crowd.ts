import { uniqueDigits } from '../support/test-account.js';
import { Callbacks } from './callbacks.js';
import type { FaultAccount, FaultService, FaultStack } from './fault-stack.js';
import { statusesOf } from './figures.js';
import { measured, type Outcome } from './load.js';
import { pause } from './pause.js';

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
/** After a refusal, milliseconds. */
const BACK_OFF_MS = 500;

/** One account that does its worst, as fast as it is answered. */
export class Crowd {
  private readonly outcomes = new Map<Excess, Outcome[]>();
  private readonly callbacks: Callbacks;
  private running: Promise<void>[] = [];
  private stopped = false;
  private victims: readonly { readonly id: string; readonly biz_opaque_callback_data: string }[] = [];
  /** Every send goes to this one contact, so that they wait for its row. */
  private readonly contact = `4917${uniqueDigits().slice(-8)}`;

  private constructor(
    private readonly service: FaultService,
    readonly account: FaultAccount,
  ) {
    this.callbacks = new Callbacks(service.baseUrl, account.phone, () => (this.stopped ? 0 : Number.POSITIVE_INFINITY));
  }

  /** @param contacts how many contacts the account has to search in */
  static async of(stack: FaultStack, service: FaultService, contacts: number): Promise<Crowd> {
    const account = await stack.account(service, { rateLimit: REQUESTS_A_MINUTE });
    const crowd = new Crowd(service, account);
    await fillContacts(stack, account, contacts);
    for (let sent = 0; sent < REPORTED_MESSAGES; sent += 1) {
      const { status, text } = await crowd.send();
      if (status !== 200) throw new Error(`a send was answered ${status} ${text}`);
    }
    crowd.victims = await stack.simulator.ledger(account.phone.phoneNumberId);
    return crowd;
  }

  start(excesses: readonly Excess[]): void {
    for (const excess of excesses) {
      this.outcomes.set(excess, []);
      for (let each = 0; each < AT_ONCE[excess]; each += 1) this.running.push(this.insist(excess));
    }
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all(this.running);
  }

  /** What became of it: `searches 200 × 31, 503 × 4`. */
  get summary(): string {
    return [...this.outcomes]
      .map(([excess, outcomes]) => `${excess} ${statusesOf(excess === 'reports' ? this.callbacks.outcomes : outcomes)}`)
      .join('; ');
  }

  /** Answers that a crowd must not get either. */
  get faults(): Outcome[] {
    return [...[...this.outcomes.values()].flat(), ...this.callbacks.outcomes].filter(
      ({ status }) => ![200, 429, 503].includes(Number(status)),
    );
  }

  private async insist(excess: Excess): Promise<void> {
    while (!this.stopped) {
      if (excess === 'reports') {
        await this.callbacks.read(this.victims);
        continue;
      }
      const outcome = await this.ask(excess);
      this.outcomes.get(excess)?.push(outcome);
      if (outcome.status !== 200) await pause(BACK_OFF_MS);
    }
  }

  private ask(excess: Exclude<Excess, 'reports'>): Promise<Outcome> {
    if (excess === 'searches') return this.request('GET', '/api/v1/contacts/?search=q');
    return excess === 'sends' ? this.send() : this.request('POST', '/api/v1/contacts/import', 'text/csv', csv());
  }

  private send(): Promise<Outcome> {
    const body = { template_name: this.account.template, contact_phone: this.contact };
    return this.request('POST', '/api/v1/messages/send', 'application/json', JSON.stringify(body));
  }

  private request(method: string, path: string, type?: string, body?: string): Promise<Outcome> {
    return measured(`${this.service.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.account.apiKey}`,
        ...(type === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body }),
    });
  }
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
