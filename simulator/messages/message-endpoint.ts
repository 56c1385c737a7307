import { listReplyTo, replyTo } from '../callbacks/customer-reply.js';
import { MAGIC, magicOf } from '../callbacks/delivery-plan.js';
import type { StatusReports } from '../callbacks/status-reports.js';
import type { Behaviour } from '../control/behaviour.js';
import type { Ledger } from '../control/ledger.js';
import type { Answer, Exchange } from '../exchange.js';
import { GraphError } from '../graph-error.js';
import { isObject, isText, type JsonObject } from '../json-object.js';
import type { KnowsMedia } from '../media/media-rules.js';
import type { MediaStore } from '../media/media-store.js';
import type { People } from '../people/people.js';
import type { SimulatedPhone } from '../phone-registry.js';
import { checkTemplateParameters } from '../templates/template-parameters.js';
import type { StoredTemplate, TemplateStore } from '../templates/template-store.js';
import type { CustomerReply, PriceType } from './accepted-message.js';
import { addresseeOf } from './addressee.js';
import type { Admission } from './admission.js';
import type { Fates } from './fates.js';
import type { InboundIds } from './inbound-ids.js';
import { checkMessage } from './message-rules.js';
import type { ServiceWindows } from './service-windows.js';

interface Stores {
  ledger: Ledger;
  media: MediaStore;
  templates: TemplateStore;
  windows: ServiceWindows;
  reports: StatusReports;
  people: People;
  inbound: InboundIds;
}

/** What an answer says about a template message. */
const statusOf = (isHeld: boolean): string => (isHeld ? 'held_for_quality_assessment' : 'accepted');

/** `POST /{phone_number_id}/messages`: rejects what the network rejects, and stores the rest before answering. */
export class MessageEndpoint {
  constructor(
    private readonly stores: Stores,
    private readonly behaviour: Behaviour,
    private readonly admission: Admission,
    private readonly fates: Fates,
  ) {}

  async send(phone: SimulatedPhone, exchange: Exchange): Promise<Answer> {
    const message = exchange.graphJson();
    if (message.status !== undefined) return this.markRead(phone, message);
    const { media, people } = this.stores;
    const knowsMedia = (id: string): boolean => media.find(id)?.phone_number_id === phone.phone_number_id;
    const { type, recipient } = checkMessage(message, knowsMedia);
    const { settings, random } = this.behaviour;
    const addressee = addresseeOf(recipient, phone, people, settings);
    const { to, waId, userId, isRenamed } = addressee;
    const named = to ?? userId;
    const template = type === 'template' ? this.approvedTemplate(phone, message.template, knowsMedia) : null;
    const isLost = waId !== null && people.hasLeft(waId);
    const send = { message, type, phone, addressee, template, isLost };
    this.admission.admit(send);
    if (type === 'reaction') this.checkTarget((message.reaction as JsonObject).message_id as string);
    if (isObject(message.context)) this.checkTarget(message.context.message_id as string);
    const { plan, isHeld } = await this.fates.of(send);
    const priceType = await this.priceTypeOf(phone.phone_number_id, userId, template);
    const usual = template?.category.toLowerCase() ?? 'service';
    const category = priceType === 'free_entry_point' ? 'referral_conversion' : usual;
    people.meet(userId, phone.phone_number_id);
    const { message: accepted, written } = this.stores.ledger.add({
      // Named one by one, because a spread would cost more than all the rest of this method.
      to,
      waId,
      userId,
      isRenamed,
      phoneNumberId: phone.phone_number_id,
      bizOpaqueCallbackData: (message.biz_opaque_callback_data as string | undefined) ?? null,
      type,
      templateName: template?.name ?? null,
      at: Date.now(),
      category,
      priceType,
      plan,
      reply: isLost ? null : this.customerReply(named, message, template),
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
        contacts: [{ input: recipient.input, ...(waId === null ? { user_id: userId } : { wa_id: waId }) }],
        messages: [template ? { id: accepted.id, message_status: statusOf(isHeld) } : { id: accepted.id }],
      },
    };
  }

  /** Until October 2026 replies were free, and so were utility templates while the customer's window was open. */
  private async priceTypeOf(phone: string, userId: string, template: StoredTemplate | null): Promise<PriceType> {
    const { windows } = this.stores;
    if (await windows.isEntryPoint(phone, userId)) return 'free_entry_point';
    if (this.behaviour.settings.billing_since_2026_10) return 'regular';
    const isReply = !template || (template.category === 'UTILITY' && windows.isOpen(phone, userId));
    return isReply ? 'free_customer_service' : 'regular';
  }

  private approvedTemplate(phone: SimulatedPhone, given: unknown, knowsMedia: KnowsMedia): StoredTemplate {
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
    checkTemplateParameters(components, this.stores.templates.shape(template), template.category, knowsMedia);
    return template;
  }

  private customerReply(named: string, message: JsonObject, template: StoredTemplate | null): CustomerReply | null {
    const magic = magicOf(named);
    if (magic === MAGIC.saysHello) return { type: 'text', text: 'hello' };
    if (magic === MAGIC.picksFromList) return listReplyTo(message);
    if (magic !== MAGIC.taps) return null;
    return replyTo(message, template ? this.stores.templates.shape(template) : null);
  }

  /** A message that another one quotes or reacts to: of either side. */
  private checkTarget(id: string): void {
    const { inbound, ledger } = this.stores;
    if (!inbound.has(id) && !ledger.has(id)) throw GraphError.invalid('Message ID is invalid or older than 30 days');
  }

  private markRead(
    phone: SimulatedPhone,
    { messaging_product, status, message_id, typing_indicator }: JsonObject,
  ): Answer {
    if (messaging_product !== 'whatsapp') throw GraphError.missing('messaging_product');
    if (status !== 'read') throw new GraphError(100, 'Param status must be one of {READ}.');
    if (!isText(message_id)) throw GraphError.missing('message_id');
    if (!this.stores.inbound.has(message_id)) throw GraphError.invalid('Message ID is invalid or older than 30 days');
    if (typing_indicator !== undefined && !(isObject(typing_indicator) && typing_indicator.type === 'text'))
      throw new GraphError(100, "Param typing_indicator['type'] must be one of {TEXT}.");
    this.admission.admitReceipt(phone);
    return { status: 200, json: { success: true } };
  }
}
