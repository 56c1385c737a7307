import { replyTo } from '../callbacks/customer-reply.js';
import { MAGIC, magicOf, planReports } from '../callbacks/delivery-plan.js';
import type { StatusReports } from '../callbacks/status-reports.js';
import type { Behaviour } from '../control/behaviour.js';
import type { Ledger } from '../control/ledger.js';
import type { Answer, Exchange } from '../exchange.js';
import { GraphError } from '../graph-error.js';
import { isObject, isText, type JsonObject } from '../json-object.js';
import type { MediaStore } from '../media/media-store.js';
import type { SimulatedPhone } from '../phone-registry.js';
import { checkTemplateParameters } from '../templates/template-parameters.js';
import type { StoredTemplate, TemplateStore } from '../templates/template-store.js';
import type { CustomerReply } from './accepted-message.js';
import { checkMessage, type Recipient } from './message-rules.js';
import type { SendLimits } from './send-limits.js';
import type { ServiceWindows } from './service-windows.js';

interface Stores {
  ledger: Ledger;
  media: MediaStore;
  templates: TemplateStore;
  windows: ServiceWindows;
  reports: StatusReports;
  /** User ids of everyone who has sent or received a message. */
  users: Set<string>;
}

/** `POST /{phone_number_id}/messages`: rejects what the network rejects, and stores the rest before answering. */
export class MessageEndpoint {
  private readonly knowsMedia = (id: string): boolean => this.stores.media.find(id) !== undefined;

  constructor(
    private readonly stores: Stores,
    private readonly behaviour: Behaviour,
    private readonly limits: SendLimits,
  ) {}

  async send(phone: SimulatedPhone, exchange: Exchange): Promise<Answer> {
    const message = exchange.graphJson();
    if (message.status !== undefined) return this.markRead(message);
    const { type, ...recipient } = checkMessage(message, this.knowsMedia);
    const { to, userId } = recipient;
    const named = to ?? userId;
    const template = type === 'template' ? this.approvedTemplate(phone, message.template) : null;
    this.admit(phone, recipient, template);
    const { settings, random } = this.behaviour;
    this.stores.users.add(userId);
    const { message: accepted, written } = this.stores.ledger.add({
      to,
      userId,
      phoneNumberId: phone.phone_number_id,
      bizOpaqueCallbackData: (message.biz_opaque_callback_data as string | undefined) ?? null,
      type,
      templateName: template?.name ?? null,
      at: Date.now(),
      category: template?.category.toLowerCase() ?? 'service',
      isFree: this.isFree(phone, userId, template),
      plan: planReports(named, this.behaviour),
      reply: this.customerReply(named, message, template),
    });
    await written;
    this.stores.reports.schedule(accepted);
    const magic = magicOf(named);
    const resets = magic === MAGIC.resets || magic === MAGIC.resetsForGood;
    if (resets || random.chance(settings.reset_after_accept_rate)) return 'reset';
    return {
      status: 200,
      json: {
        messaging_product: 'whatsapp',
        contacts: [to === null ? { input: userId, user_id: userId } : { input: to, wa_id: to }],
        messages: [{ id: accepted.id, message_status: 'accepted' }],
      },
    };
  }

  /** Rejects a valid message for its circumstances: rate limits, closed service window, injected errors. */
  private admit(
    { phone_number_id: phone }: SimulatedPhone,
    { to, userId }: Recipient,
    template: StoredTemplate | null,
  ): void {
    const { max_mps, error, pair_limit } = this.behaviour.settings;
    const magic = magicOf(to ?? userId);
    const pair = `${phone}:${userId}`;
    if (max_mps > 0) this.limits.takeThroughput(phone, max_mps);
    if (magic === MAGIC.rejected) throw new GraphError(131030, 'Recipient phone number not in allowed list');
    if (to === null) this.admitUser(userId, template);
    if (!template && !this.stores.windows.isOpen(phone, userId)) {
      const details = 'Message failed to send because more than 24 hours have passed since the customer last replied';
      throw new GraphError(131047, details);
    }
    if (magic === MAGIC.pairLimitedOnce && this.limits.isFirstAttempt(pair)) {
      throw new GraphError(131056, 'Too many messages sent to the same recipient in a short time');
    }
    if (error && this.behaviour.random.chance(error.rate)) {
      throw new GraphError(error.code, 'Injected by /_sim/behaviour');
    }
    if (pair_limit) this.limits.takePair(pair);
  }

  private admitUser(userId: string, template: StoredTemplate | null): void {
    if (!this.stores.users.has(userId)) {
      throw new GraphError(131026, 'Message Undeliverable. No customer of this business has that user id.');
    }
    if (template?.category === 'AUTHENTICATION') {
      throw new GraphError(131062, 'Authentication templates can only be sent to phone numbers');
    }
  }

  /** Replies are free, and so are utility templates while the customer's window is open. */
  private isFree(phone: SimulatedPhone, userId: string, template: StoredTemplate | null): boolean {
    if (!template) return true;
    return template.category === 'UTILITY' && this.stores.windows.isOpen(phone.phone_number_id, userId);
  }

  private approvedTemplate(phone: SimulatedPhone, given: unknown): StoredTemplate {
    if (!isObject(given)) throw GraphError.missing('template');
    const { name, language, components } = given;
    if (!isText(name)) throw GraphError.missing("template['name']");
    if (!isObject(language) || !isText(language.code)) throw GraphError.missing("template['language']['code']");
    const template = this.stores.templates.find(phone.waba_id, name, language.code);
    if (template?.status === 'PAUSED') throw new GraphError(132015, `template ${name} is paused due to low quality`);
    if (template?.status === 'DISABLED') throw new GraphError(132016, `template ${name} is disabled for good`);
    if (template?.status !== 'APPROVED') {
      throw new GraphError(132001, `template name (${name}) does not exist in ${language.code} or is not approved`);
    }
    checkTemplateParameters(components, this.stores.templates.shape(template), template.category, this.knowsMedia);
    return template;
  }

  private customerReply(named: string, message: JsonObject, template: StoredTemplate | null): CustomerReply | null {
    const magic = magicOf(named);
    if (magic === MAGIC.saysHello) return { type: 'text', text: 'hello' };
    if (magic !== MAGIC.taps) return null;
    return replyTo(message, template ? this.stores.templates.shape(template) : null);
  }

  private markRead({ messaging_product, status, message_id }: JsonObject): Answer {
    if (messaging_product !== 'whatsapp') throw GraphError.missing('messaging_product');
    if (status !== 'read') throw new GraphError(100, 'Param status must be one of {READ}.');
    if (!isText(message_id)) throw GraphError.missing('message_id');
    return { status: 200, json: { success: true } };
  }
}
