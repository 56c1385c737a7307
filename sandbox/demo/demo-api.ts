import { JsonApi } from '../../src/cli/json-api.js';
import type { SandboxFile } from '../sandbox-file.js';

/** The campaign stats that the demo uses. */
export interface DemoStats {
  readonly campaign_status: string;
  readonly total_contacts: number;
  readonly sent_count: number;
  readonly delivered_count: number;
  readonly read_count: number;
  readonly failed_count: number;
}

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

/** Calls a running sandbox as a customer would: over HTTP, with its API key. */
export class DemoApi {
  private readonly api: JsonApi;
  private readonly simulator: JsonApi;

  constructor({ base_url, api_key, simulator_url }: SandboxFile) {
    const absent = 'the demo’s sandbox has stopped';
    this.api = new JsonApi({ baseUrl: base_url, apiKey: api_key, absent });
    this.simulator = new JsonApi({ baseUrl: String(simulator_url), apiKey: 'simulated', absent });
  }

  async createTemplate(name: string, text: string, examples: Record<string, string>): Promise<void> {
    const body = { text, examples };
    await this.api.post('/api/v1/templates/create', { name, category: 'MARKETING', language: 'en_US', body });
  }

  async templateStatus(name: string): Promise<string | undefined> {
    const { templates } = await this.api.get<{ templates: { name: string; status: string }[] }>(
      `/api/v1/templates/?search=${name}`,
    );
    return templates.find((template) => template.name === name)?.status;
  }

  async subscribe(url: string, secret: string, events: readonly string[]): Promise<void> {
    await this.api.post('/api/v1/webhooks/', { url, secret, subscribed_events: events });
  }

  async createCampaign(campaign: {
    name: string;
    template_name: string;
    contacts: readonly { phone: string; name: string }[];
    body_data: Record<string, string>;
  }): Promise<string> {
    const { campaign_id } = await this.api.post<{ campaign_id: string }>('/api/v1/campaigns/', campaign);
    return campaign_id;
  }

  async sendCampaign(id: string): Promise<void> {
    await this.api.post(`/api/v1/campaigns/${id}/send`);
  }

  stats(id: string): Promise<DemoStats> {
    return this.api.get<DemoStats>(`/api/v1/campaigns/${id}/stats`);
  }

  /** Sets how many status reports the network sends in one callback; by default it sends one. */
  async batchCallbacks(reports: number): Promise<void> {
    await this.simulator.post('/_sim/behaviour', { callback_batch: reports });
  }

  /** Totals of what the simulated network accepted. */
  async ledger(): Promise<LedgerTotals> {
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
