import type { SandboxFile } from '../sandbox/sandbox-file.js';

/** What the demo reads of a campaign's stats. */
export interface DemoStats {
  readonly campaign_status: string;
  readonly total_contacts: number;
  readonly sent_count: number;
  readonly delivered_count: number;
  readonly read_count: number;
  readonly failed_count: number;
}

export interface LedgerTotals {
  /** Messages that the network accepted. */
  readonly total: number;
  /** Different messages among them. */
  readonly distinct: number;
  /** Different recipients among them. */
  readonly recipients: number;
}

const LEDGER_PAGE = 1000;

/** Speaks to a running sandbox as any customer would: over HTTP, with its API key. */
export class DemoApi {
  constructor(private readonly sandbox: SandboxFile) {}

  async createTemplate(name: string, text: string, examples: Record<string, string>): Promise<void> {
    const body = { text, examples };
    await this.call('POST', '/api/v1/templates/create', { name, category: 'MARKETING', language: 'en_US', body });
  }

  async templateStatus(name: string): Promise<string | undefined> {
    const { templates } = await this.call<{ templates: { name: string; status: string }[] }>(
      'GET',
      `/api/v1/templates/?search=${name}`,
    );
    return templates.find((template) => template.name === name)?.status;
  }

  async subscribe(url: string, secret: string, events: readonly string[]): Promise<void> {
    await this.call('POST', '/api/v1/webhooks/', { url, secret, subscribed_events: events });
  }

  async createCampaign(campaign: {
    name: string;
    template_name: string;
    contacts: readonly { phone: string; name: string }[];
    body_data: Record<string, string>;
  }): Promise<string> {
    const { campaign_id } = await this.call<{ campaign_id: string }>('POST', '/api/v1/campaigns/', campaign);
    return campaign_id;
  }

  async sendCampaign(id: string): Promise<void> {
    await this.call('POST', `/api/v1/campaigns/${id}/send`);
  }

  stats(id: string): Promise<DemoStats> {
    return this.call<DemoStats>('GET', `/api/v1/campaigns/${id}/stats`);
  }

  /** How many status reports the network puts into one callback; it is one unless told otherwise. */
  async batchCallbacks(reports: number): Promise<void> {
    await fetch(`${this.sandbox.simulator_url}/_sim/behaviour`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ callback_batch: reports }),
    });
  }

  /** The outside witness: what the simulated network says it accepted. */
  async ledger(): Promise<LedgerTotals> {
    const recipients = new Set<string>();
    for (let after = ''; ; ) {
      const response = await fetch(`${this.sandbox.simulator_url}/_sim/ledger?limit=${LEDGER_PAGE}${after}`);
      const page = (await response.json()) as { total: number; distinct: number; data: { id: string; to: string }[] };
      for (const { to } of page.data) recipients.add(to);
      const last = page.data.at(-1);
      if (!last || page.data.length < LEDGER_PAGE) {
        return { total: page.total, distinct: page.distinct, recipients: recipients.size };
      }
      after = `&after=${encodeURIComponent(last.id)}`;
    }
  }

  private async call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.sandbox.base_url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.sandbox.api_key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  }
}
