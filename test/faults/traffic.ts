import type { LedgerEntry } from '../support/simulator-control.js';
import { uniquePhone } from '../support/test-account.js';
import { until } from '../support/until.js';
import { Callbacks } from './callbacks.js';
import type { FaultAccount, FaultService, FaultStack } from './fault-stack.js';
import { Load, measured, type Outcome } from './load.js';

/** A single send and what came of it. */
export interface SendOutcome extends Outcome {
  readonly phone: string;
  /** The id of the message, where the answer has one. */
  readonly messageId: string | null;
}

/** How much of each kind an account does, per second. */
export interface Rates {
  readonly sends: number;
  readonly reports: number;
  readonly inbound: number;
  readonly reads: number;
  readonly probes: number;
}

export const USUAL: Rates = { sends: 10, reports: 10, inbound: 3, reads: 5, probes: 2 };
/** Callbacks are tried again for so long after the traffic has stopped, milliseconds. */
const REPEAT_MS = 20_000;
const PREPARED_AT_ONCE = 16;

/** Whom an account's traffic is about; by default each request is about somebody new. */
export interface People {
  /** Whom the sends go to. */
  readonly recipient?: () => string;
  /** Who writes. */
  readonly writer?: () => string;
}

/** What one account does all the time: single sends, reports, messages from contacts, lists, and probes of health. */
export class Traffic {
  readonly sends: SendOutcome[] = [];
  readonly reads: Outcome[] = [];
  readonly probes: Outcome[] = [];
  readonly reports: Callbacks;
  readonly inbound: Callbacks;
  /** The network's ids of the messages that contacts wrote. */
  readonly written: string[] = [];
  private loads: Load[] = [];
  private stoppedAt = Number.POSITIVE_INFINITY;

  private constructor(
    private readonly service: FaultService,
    readonly account: FaultAccount,
    /** Messages that the network has accepted and said nothing of since: the reports are about these. */
    private readonly unreported: LedgerEntry[],
    private readonly people: People,
  ) {
    const giveUpAt = () => this.stoppedAt + REPEAT_MS;
    this.reports = new Callbacks(service.baseUrl, account.phone, giveUpAt);
    this.inbound = new Callbacks(service.baseUrl, account.phone, giveUpAt);
  }

  /** Sends the messages that the reports will be about: so many of them. */
  static async prepare(
    stack: FaultStack,
    service: FaultService,
    account: FaultAccount,
    { reports, people = {} }: { reports: number; people?: People },
  ): Promise<Traffic> {
    const unreported: LedgerEntry[] = [];
    const traffic = new Traffic(service, account, unreported, people);
    await stack.simulator.behave({ statuses: [] });
    let sent = 0;
    const send = async (): Promise<void> => {
      while (sent < reports) {
        sent += 1;
        await traffic.send();
      }
    };
    await Promise.all(Array.from({ length: PREPARED_AT_ONCE }, send));
    const refused = traffic.sends.find(({ status }) => status !== 200);
    if (refused !== undefined) throw new Error(`a send was answered ${refused.status} ${refused.text}`);
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

  /** @returns when it started: earlier outcomes are of the preparation */
  start(rates: Partial<Rates> = {}): number {
    const { sends, reports, inbound, reads, probes } = { ...USUAL, ...rates };
    this.stoppedAt = Number.POSITIVE_INFINITY;
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

  /** Does nothing more, and waits for what is under way; callbacks that were not taken are tried for 20 s more. */
  async stop(): Promise<void> {
    this.stoppedAt = Date.now();
    await Promise.all(this.loads.map((load) => load.stop()));
  }

  /** Reports what is left in one go, so that in the end every message is read. */
  async reportTheRest(): Promise<void> {
    if (this.unreported.length > 0) await this.reports.read(this.unreported.splice(0));
  }

  /** What was asked for since `at`, of all kinds. */
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

  private async send(): Promise<void> {
    const phone = this.people.recipient?.() ?? uniquePhone();
    const outcome = await measured(`${this.service.baseUrl}/api/v1/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.account.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ template_name: this.account.template, contact_phone: phone }),
    });
    const messageId = /"message_id":"([^"]+)"/.exec(outcome.text)?.[1] ?? null;
    this.sends.push({ ...outcome, phone, messageId });
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
