import { urlOrNull } from '../../src/values/parse-url.js';
import type { RestrictionControl } from '../accounts/restriction-control.js';
import type { Apps } from '../apps/apps.js';
import type { CallbackSender } from '../callbacks/callback-sender.js';
import type { Answer, Exchange } from '../exchange.js';
import type { Coexistence } from '../inbound/coexistence.js';
import type { Customers } from '../inbound/customers.js';
import { isObject, isText, type JsonObject } from '../json-object.js';
import type { PersonChanges } from '../people/person-changes.js';
import type { PhoneRegistry } from '../phone-registry.js';
import { declaredPhone } from '../phones/phone-declaration.js';
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
  apps: Apps;
  behaviour: Behaviour;
  phones: PhoneRegistry;
  ledger: Ledger;
  requests: RequestLog;
  customers: Customers;
  coexistence: Coexistence;
  people: PersonChanges;
  restrictions: RestrictionControl;
  templates: TemplateStore;
  review: TemplateReview;
  sender: CallbackSender;
  reset: () => void;
}

const ok = (json: unknown): Answer => ({ status: 200, json });

/** Routes the control calls under `/_sim/`, which let tests steer the network and inspect what it received. */
export class ControlRouter {
  private readonly routes: Record<string, (exchange: Exchange) => Answer | Promise<Answer>> = {
    'GET /_sim/behaviour': () => ok(this.parts.behaviour.settings),
    'POST /_sim/behaviour': (exchange) => this.behave(exchange),
    'POST /_sim/phones': (exchange) => this.addPhone(exchange.controlJson()),
    'POST /_sim/apps': async (exchange) => ok(await this.parts.apps.declareApp(exchange.controlJson())),
    'POST /_sim/tokens': async (exchange) => ok(await this.parts.apps.declareToken(exchange.controlJson())),
    'POST /_sim/inbound': (exchange) => this.inbound(exchange.controlJson()),
    'POST /_sim/echoes': async (exchange) => ok(await this.parts.coexistence.echo(exchange.controlJson())),
    'POST /_sim/history': async (exchange) => ok(await this.parts.coexistence.history(exchange.controlJson())),
    'POST /_sim/address-book': async (exchange) => ok(await this.parts.coexistence.addressBook(exchange.controlJson())),
    'POST /_sim/people': async (exchange) => ok(await this.parts.people.change(exchange.controlJson())),
    'POST /_sim/templates': (exchange) => this.holdTemplate(exchange.controlJson()),
    'POST /_sim/restrictions': async (exchange) => ok(await this.parts.restrictions.change(exchange.controlJson())),
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
    const path = exchange.path.replace(/(?<!\/)\/+$/, '');
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

  private async addPhone(input: JsonObject): Promise<Answer> {
    const phone = declaredPhone(input);
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
    const account = named ?? phone?.waba_id ?? template?.waba_id ?? phones.first()?.waba_id ?? '0';
    const { answered } = await customers.callback(account, field, value);
    return ok({ callback_status: await answered });
  }

  private async review(id: string, { decision, notify = true, ...details }: JsonObject): Promise<Answer> {
    if (typeof notify !== 'boolean') throw new ControlError('notify must be true or false');
    const { answered, ...outcome } = await this.parts.review.decide(id, decision, details, notify);
    return ok({ id, ...outcome, ...(answered ? { callback_status: await answered } : {}) });
  }

  private async holdTemplate(input: JsonObject): Promise<Answer> {
    const { phones, review } = this.parts;
    const waba_id = input.waba_id ?? phones.find(String(input.phone_number_id))?.waba_id;
    if (!isText(waba_id) || !phones.hasAccount(waba_id)) throw new ControlError('no such waba_id or phone_number_id');
    const { id, status } = await review.hold({ ...input, waba_id });
    return ok({ id, status });
  }

  private callbackUrl({ url }: JsonObject): Answer {
    if (!isText(url) || !/^http:\/\//.test(url) || urlOrNull(url) === null)
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
