import { crowd } from '../support/crowd.js';
import { closed, opened } from '../support/left-open.js';
import type { LedgerEntry } from '../support/simulator-control.js';
import { uniquePhone } from '../support/test-account.js';
import { Hopeless, until } from '../support/until.js';
import { Callbacks } from './callbacks.js';
import type { FaultAccount, FaultStack, Reachable } from './fault-stack.js';
import { Load, measured, type Outcome } from './load.js';

/** The outcome of a single send. */
export interface SendOutcome extends Outcome {
  readonly phone: string;
  /** The id of the message if the answer contains one. */
  readonly messageId: string | null;
}

/** Requests of each kind per second. */
export interface Rates {
  readonly sends: number;
  readonly reports: number;
  readonly inbound: number;
  readonly reads: number;
  readonly probes: number;
}

export const DEFAULT_RATES: Rates = { sends: 10, reports: 10, inbound: 3, reads: 5, probes: 2 };
/** How long callbacks are retried after the traffic has stopped, milliseconds. */
const RETRY_MS = 90_000;

/** Phone numbers of contacts in the traffic; by default each request has a new one. */
export interface People {
  /** The recipient of the next send. */
  readonly recipient?: () => string;
  /** The sender of the next inbound message. */
  readonly writer?: () => string;
}

/** The background traffic of one account: single sends, reports, inbound messages, lists and health probes. */
export class Traffic {
  readonly sends: SendOutcome[] = [];
  readonly reads: Outcome[] = [];
  readonly probes: Outcome[] = [];
  readonly reports: Callbacks;
  readonly inbound: Callbacks;
  /** Network ids of inbound messages. */
  readonly written: string[] = [];
  private loads: Load[] = [];
  private stoppedAt = Number.POSITIVE_INFINITY;

  private constructor(
    private readonly service: Reachable,
    readonly account: FaultAccount,
    /** Accepted messages without reports yet. */
    private readonly unreported: LedgerEntry[],
    private readonly people: People,
  ) {
    const giveUpAt = () => this.stoppedAt + RETRY_MS;
    this.reports = new Callbacks(service.baseUrl, account.phone, giveUpAt);
    this.inbound = new Callbacks(service.baseUrl, account.phone, giveUpAt);
  }

  /** Sends `reports` messages for later reports. */
  static async prepare(
    stack: FaultStack,
    service: Reachable,
    account: FaultAccount,
    { reports, people = {} }: { reports: number; people?: People },
  ): Promise<Traffic> {
    const unreported: LedgerEntry[] = [];
    const traffic = new Traffic(service, account, unreported, people);
    await stack.simulator.behave({ statuses: [] });
    await crowd(reports, () => traffic.sendForReport());
    await until('the outcomes are stored', async () => {
      const [row] = await stack.query<{ open: string }>(
        `SELECT count(*) AS open FROM messages WHERE account_id = $1 AND status = 'pending'`,
        [account.accountId],
      );
      return row?.open === '0';
    });
    unreported.push(...(await stack.simulator.ledger(account.phone.phoneNumberId)));
    await stack.simulator.behave({ statuses: ['sent', 'delivered', 'read'], status_delay_ms: 50 });
    return traffic;
  }

  /** @returns the start time; earlier outcomes belong to {@link prepare} */
  start(rates: Partial<Rates> = {}): number {
    const { sends, reports, inbound, reads, probes } = { ...DEFAULT_RATES, ...rates };
    this.stoppedAt = Number.POSITIVE_INFINITY;
    opened(this, 'a Traffic', async () => this.abandon());
    this.loads = [
      new Load(sends, () => this.send()),
      new Load(reports, () => {
        const message = this.unreported.shift();
        return message === undefined ? null : this.reports.read([message]);
      }),
      new Load(inbound, () => this.write()),
      new Load(reads, () => this.get('/api/v1/contacts/?limit=5', this.reads)),
      new Load(probes, () => this.get('/health/ready', this.probes)),
    ];
    return Date.now();
  }

  /** Stops and waits for pending requests, and retries refused callbacks for up to 90 s. */
  async stop(): Promise<void> {
    closed(this);
    this.stoppedAt = Date.now();
    await Promise.all(this.loads.map((load) => load.stop()));
  }

  /** Reports the remaining messages in one callback, so that every message ends up read. */
  async reportTheRest(): Promise<void> {
    this.stoppedAt = Date.now();
    if (this.unreported.length > 0) await this.reports.read(this.unreported.splice(0));
  }

  /** Outcomes since `at`, by kind. */
  since(at: number): { readonly kind: string; readonly outcomes: Outcome[] }[] {
    const kinds = {
      send: this.sends,
      report: this.reports.outcomes,
      inbound: this.inbound.outcomes,
      list: this.reads,
      ready: this.probes,
    };
    return Object.entries(kinds).map(([kind, outcomes]) => ({
      kind,
      outcomes: outcomes.filter((outcome) => outcome.at >= at),
    }));
  }

  /** Stops for good, and retries nothing: for a test that has failed. */
  private abandon(): void {
    this.stoppedAt = Number.NEGATIVE_INFINITY;
  }

  /** Sends until it is accepted, as a client that repeats what was refused for now. */
  private async sendForReport(): Promise<void> {
    await until('a send is accepted', async () => {
      const { status, text } = await this.send();
      if (status !== 200 && status !== 503) throw new Hopeless(`a send was answered ${status} ${text}`);
      return status === 200;
    });
  }

  private async send(): Promise<SendOutcome> {
    const phone = this.people.recipient?.() ?? uniquePhone();
    const outcome = await measured(`${this.service.baseUrl}/api/v1/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.account.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ template_name: this.account.template, contact_phone: phone }),
    });
    const messageId = /"message_id":"([^"]+)"/.exec(outcome.text)?.[1] ?? null;
    const sent = { ...outcome, phone, messageId };
    this.sends.push(sent);
    return sent;
  }

  private async write(): Promise<void> {
    const id = `wamid.FAULT${Math.random().toString(36).slice(2)}${this.written.length}`;
    this.written.push(id);
    await this.inbound.inbound(this.people.writer?.() ?? uniquePhone(), id);
  }

  private async get(path: string, outcomes: Outcome[]): Promise<void> {
    const headers = { authorization: `Bearer ${this.account.apiKey}` };
    outcomes.push(await measured(`${this.service.baseUrl}${path}`, { headers }));
  }
}
