import { parseUrl } from '../../src/values/parse-url.js';
import type { CallbackSender } from '../callbacks/callback-sender.js';
import type { Customers } from '../callbacks/customers.js';
import type { Answer, Exchange } from '../exchange.js';
import { isObject, isText, type JsonObject } from '../json-object.js';
import type { PhoneRegistry, SimulatedPhone } from '../phone-registry.js';
import type { TemplateReview } from '../templates/template-review.js';
import type { TemplateStore } from '../templates/template-store.js';
import type { Behaviour } from './behaviour.js';
import { ControlError } from './control-error.js';
import type { Ledger } from './ledger.js';
import type { RequestLog } from './request-log.js';

const LEDGER_LIMIT = 1000;
const MAX_LEDGER = 100_000;
const REQUESTS_LIMIT = 100;
const MAX_REQUESTS = 1000;

interface Parts {
  behaviour: Behaviour;
  phones: PhoneRegistry;
  ledger: Ledger;
  requests: RequestLog;
  customers: Customers;
  templates: TemplateStore;
  review: TemplateReview;
  sender: CallbackSender;
  reset: () => void;
}

/** The network's name for a messaging limit: 2000 people is `TIER_2K`, -1 (no limit) is `TIER_UNLIMITED`. */
const tierOf = (limit: number): string =>
  limit < 0 ? 'TIER_UNLIMITED' : `TIER_${limit > 0 && limit % 1000 === 0 ? `${limit / 1000}K` : limit}`;

const ok = (json: unknown): Answer => ({ status: 200, json });

/** Routes the control calls under `/_sim/`, which let tests steer the network and inspect what it received. */
export class ControlRouter {
  private readonly routes: Record<string, (exchange: Exchange) => Answer | Promise<Answer>> = {
    'GET /_sim/behaviour': () => ok(this.parts.behaviour.settings),
    'POST /_sim/behaviour': (exchange) => this.behave(exchange),
    'POST /_sim/phones': (exchange) => this.addPhone(exchange.controlJson()),
    'POST /_sim/inbound': (exchange) => this.inbound(exchange.controlJson()),
    'POST /_sim/callback': (exchange) => this.callback(exchange.controlJson()),
    'POST /_sim/callback-url': (exchange) => this.callbackUrl(exchange.controlJson()),
    'GET /_sim/ledger': (exchange) => this.ledger(exchange),
    'GET /_sim/requests': (exchange) =>
      ok({ data: this.parts.requests.newest(exchange.limit(REQUESTS_LIMIT, MAX_REQUESTS)) }),
    'POST /_sim/reset': () => {
      this.parts.reset();
      return ok({ success: true });
    },
  };

  constructor(private readonly parts: Parts) {}

  async answer(exchange: Exchange): Promise<Answer> {
    const path = exchange.path.replace(/\/+$/, '');
    const review = /^\/_sim\/templates\/([^/]+)\/review$/.exec(path);
    if (review?.[1] && exchange.method === 'POST') return this.review(review[1], exchange.controlJson());
    const route = this.routes[`${exchange.method} ${path}`];
    if (!route) throw new ControlError(`there is no ${exchange.method} ${path}`, 404);
    return route(exchange);
  }

  private behave(exchange: Exchange): Answer {
    this.parts.behaviour.merge(exchange.controlJson());
    return ok(this.parts.behaviour.settings);
  }

  private async addPhone({ messaging_limit: limit, ...input }: JsonObject): Promise<Answer> {
    const { phone_number_id, waba_id, display_phone_number, quality_rating, throughput_level, portfolio_id } = input;
    const required = { phone_number_id, waba_id, display_phone_number };
    for (const [name, value] of Object.entries(required))
      if (!isText(value)) throw new ControlError(`${name} is required`);
    if (!/^[^/?#\s]+$/.test(`${phone_number_id}${waba_id}`))
      throw new ControlError('ids must not contain /, ?, # or spaces');
    const messaging_limit = Number.isSafeInteger(limit) ? tierOf(limit as number) : limit;
    const optional = { quality_rating, throughput_level, messaging_limit, portfolio_id };
    const given = Object.entries(optional).filter(([, value]) => value !== undefined && value !== null);
    for (const [name, value] of given) if (!isText(value)) throw new ControlError(`${name} must be a string`);
    const phone = { ...required, ...Object.fromEntries(given) } as unknown as SimulatedPhone;
    await this.parts.phones.add(phone);
    return ok(phone);
  }

  private async inbound(input: JsonObject): Promise<Answer> {
    const { id, answered } = await this.parts.customers.write(input);
    return ok({ id, callback_status: await answered });
  }

  /** Uses the account `waba_id`, else that of the phone or template in `value`, else the first one registered. */
  private async callback({ field, value, waba_id }: JsonObject): Promise<Answer> {
    const { phones, templates, customers } = this.parts;
    if (!isText(field)) throw new ControlError('field is required');
    if (value === undefined) throw new ControlError('value is required');
    const { metadata, message_template_id } = isObject(value) ? value : {};
    const phone = isObject(metadata) ? phones.find(String(metadata.phone_number_id)) : undefined;
    const template = templates.byId(String(message_template_id));
    const named = isText(waba_id) ? waba_id : undefined;
    const account = named ?? phone?.waba_id ?? template?.waba_id ?? phones.firstAccount() ?? '0';
    const { answered } = await customers.callback(account, field, value);
    return ok({ callback_status: await answered });
  }

  private async review(id: string, { decision, reason, notify = true }: JsonObject): Promise<Answer> {
    if (typeof notify !== 'boolean') throw new ControlError('notify must be true or false');
    const { status, answered } = await this.parts.review.decide(id, decision, reason, notify);
    return ok({ id, status, ...(answered ? { callback_status: await answered } : {}) });
  }

  private callbackUrl({ url }: JsonObject): Answer {
    if (!isText(url) || !/^http:\/\//.test(url) || parseUrl(url) === null)
      throw new ControlError('url must be an http URL');
    this.parts.sender.url = url;
    return ok({ url });
  }

  private ledger(exchange: Exchange): Answer {
    const { ledger } = this.parts;
    const limit = exchange.limit(LEDGER_LIMIT, MAX_LEDGER);
    const data = ledger.page(limit, exchange.query.get('after'));
    return ok({ total: ledger.total, distinct: ledger.distinct, data });
  }
}
