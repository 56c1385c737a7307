import { exchange } from './exchange.js';

/** A message that the simulator accepted. */
export interface LedgerEntry {
  readonly id: string;
  /** The number in the request, digits only. */
  readonly to: string;
  /** Only if the network spells the number differently. */
  readonly wa_id?: string;
  readonly phone_number_id: string;
  readonly biz_opaque_callback_data: string;
  readonly type: string;
  readonly template_name: string | null;
  readonly at: string;
}

/** A Graph call that the simulator received. */
export interface RecordedRequest {
  /** `read` or `typing` for a read receipt, else null. */
  readonly name: string | null;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** A person after `POST /_sim/people`; the last two are there only after an event. */
export interface NamedPerson {
  /** Missing if the person's number is unknown. */
  readonly wa_id?: string;
  readonly user_id: string;
  /** The ids of the notices, one for each business phone. */
  readonly ids: readonly string[];
  readonly callback_status: number;
}

/** How long an answer may take, milliseconds: the simulator waits up to a minute until Parley has accepted a callback. */
const TIMEOUT_MS = 180_000;

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

  /** Declares an app of Meta's dashboard, or changes what is given of one. */
  declareApp(app: Record<string, unknown>): Promise<unknown> {
    return this.post('/_sim/apps', app);
  }

  /** Declares an access token, and issues a code that can be exchanged for it within 30 seconds. */
  declareToken(token: Record<string, unknown>): Promise<{ code: string }> {
    return this.post('/_sim/tokens', token);
  }

  /** Ends the subscription of the token's app to a business account. */
  async unsubscribe(wabaId: string, token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    await exchange(`${this.url}/v23.0/${wabaId}/subscribed_apps`, { method: 'DELETE', headers, timeoutMs: TIMEOUT_MS });
  }

  inbound(message: Record<string, unknown>): Promise<{ id: string; callback_status: number }> {
    return this.post('/_sim/inbound', message);
  }

  /** The owner of a phone sends a message with the phone app. */
  echo(message: Record<string, unknown>): Promise<{ id: string; callback_status: number }> {
    return this.post('/_sim/echoes', message);
  }

  /** Sets a person's `wa_id` or `user_id`, or changes number or user id with a notice (`event`). */
  person(input: Record<string, unknown>): Promise<NamedPerson> {
    return this.post('/_sim/people', input);
  }

  /** @param wabaId the business account, if `value` does not name a phone or template of it */
  callback(field: string, value: unknown, wabaId?: string): Promise<{ callback_status: number }> {
    return this.post('/_sim/callback', { field, value, waba_id: wabaId });
  }

  review(metaTemplateId: string, decision: string, reason?: string, notify = true): Promise<unknown> {
    return this.post(`/_sim/templates/${metaTemplateId}/review`, { decision, reason, notify });
  }

  /**
   * Keeps a template as it is, approved, as if it had been made elsewhere. The same name again changes its components.
   *
   * @param more optional fields: `language`, `category`, `parameter_format`
   */
  hold(
    wabaId: string,
    name: string,
    components: readonly object[],
    more: Record<string, unknown> = {},
  ): Promise<{ id: string; status: string }> {
    return this.post('/_sim/templates', { waba_id: wabaId, name, components, ...more });
  }

  /** Moves a template to another category, or announces it for a time in unix seconds. */
  recategorise(
    metaTemplateId: string,
    category: string,
    more: { readonly announced_for?: number; readonly notify?: boolean } = {},
  ): Promise<unknown> {
    return this.post(`/_sim/templates/${metaTemplateId}/review`, { decision: 'category', category, ...more });
  }

  /** Changes the quality of a template: `GREEN`, `YELLOW`, `RED` or `UNKNOWN`. */
  rate(metaTemplateId: string, quality: string): Promise<unknown> {
    return this.post(`/_sim/templates/${metaTemplateId}/review`, { decision: 'quality', quality });
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

  private get<T>(path: string): Promise<T> {
    return this.call('GET', path, null);
  }

  private post<T>(path: string, body: unknown): Promise<T> {
    return this.call('POST', path, JSON.stringify(body));
  }

  private async call<T>(method: string, path: string, body: string | null): Promise<T> {
    const headers = { 'content-type': 'application/json' };
    const { status, text } = await exchange(this.url + path, { method, headers, body, timeoutMs: TIMEOUT_MS });
    if (status !== 200) throw new Error(`${method} ${path}: ${status} ${text}`);
    return JSON.parse(text) as T;
  }
}
