import { JsonApi } from '../../src/cli/json-api.js';
import type { SandboxFile } from '../sandbox-file.js';

export interface LedgerTotals {
  /** Accepted messages. */
  readonly total: number;
  /** Unique messages among them. */
  readonly distinct: number;
  /** Unique recipients among them. */
  readonly recipients: number;
}

interface LedgerPage {
  readonly total: number;
  readonly distinct: number;
  readonly data: readonly { readonly id: string; readonly to: string }[];
}

const LEDGER_PAGE = 1000;

/** The simulated network's side of the story: what it accepted, in its own records. */
export class NetworkLedger {
  private readonly simulator: JsonApi;

  constructor({ simulator_url }: SandboxFile) {
    const absent = 'the demo’s simulator has stopped';
    this.simulator = new JsonApi({ baseUrl: String(simulator_url), apiKey: 'simulated', absent });
  }

  /** Sets how many status reports the network sends in one callback; by default it sends one. */
  async batchCallbacks(reports: number): Promise<void> {
    await this.simulator.post('/_sim/behaviour', { callback_batch: reports });
  }

  /** Totals of what the network accepted. */
  async totals(): Promise<LedgerTotals> {
    const recipients = new Set<string>();
    for (let after = ''; ; ) {
      const page = await this.simulator.get<LedgerPage>(`/_sim/ledger?limit=${LEDGER_PAGE}${after}`);
      for (const { to } of page.data) recipients.add(to);
      const last = page.data.at(-1);
      if (!last || page.data.length < LEDGER_PAGE) {
        return { total: page.total, distinct: page.distinct, recipients: recipients.size };
      }
      after = `&after=${encodeURIComponent(last.id)}`;
    }
  }
}
