/** A message that the simulator accepted. */
export interface LedgerEntry {
  readonly id: string;
  readonly to: string;
  readonly phone_number_id: string;
  readonly biz_opaque_callback_data: string;
  readonly type: string;
  readonly template_name: string | null;
  readonly at: string;
}

/** A Graph call that the simulator received. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** Calls the simulator's control API over HTTP; docs/simulator.md describes it. */
export class SimulatorControl {
  constructor(readonly url: string) {}

  behave(behaviour: Record<string, unknown>): Promise<unknown> {
    return this.post('/_sim/behaviour', behaviour);
  }

  /** @param more optional fields: `quality_rating`, `throughput_level`, `messaging_limit`, `portfolio_id` */
  addPhone(
    phoneNumberId: string,
    wabaId: string,
    display: string,
    more: Record<string, unknown> = {},
  ): Promise<unknown> {
    return this.post('/_sim/phones', {
      phone_number_id: phoneNumberId,
      waba_id: wabaId,
      display_phone_number: display,
      ...more,
    });
  }

  inbound(message: Record<string, unknown>): Promise<{ id: string; callback_status: number }> {
    return this.post('/_sim/inbound', message);
  }

  /** @param wabaId the business account, if `value` does not name a phone or template of it */
  callback(field: string, value: unknown, wabaId?: string): Promise<{ callback_status: number }> {
    return this.post('/_sim/callback', { field, value, waba_id: wabaId });
  }

  review(metaTemplateId: string, decision: string, reason?: string, notify = true): Promise<unknown> {
    return this.post(`/_sim/templates/${metaTemplateId}/review`, { decision, reason, notify });
  }

  /** All messages accepted from one business phone. */
  async ledger(phoneNumberId: string): Promise<LedgerEntry[]> {
    const { data } = await this.get<{ data: LedgerEntry[] }>('/_sim/ledger?limit=1000000');
    return data.filter((entry) => entry.phone_number_id === phoneNumberId);
  }

  /** The last Graph calls for one business phone or account, newest first. */
  async requests(id: string): Promise<RecordedRequest[]> {
    const { data } = await this.get<{ data: RecordedRequest[] }>('/_sim/requests?limit=1000');
    return data.filter(({ path }) => path.includes(`/${id}/`));
  }

  private async get<T>(path: string): Promise<T> {
    const response = await fetch(this.url + path);
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  private async post<T>(path: string, body: unknown): Promise<T> {
    const response = await fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
}
