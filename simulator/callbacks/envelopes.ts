import { DAY } from '../../src/values/clock.js';
import type { NetworkVersion, ReportedStatus } from '../control/behaviour.js';
import { detailsOf, titleOf } from '../graph-error.js';
import { asciiJson } from '../json-object.js';
import type { AcceptedMessage } from '../messages/accepted-message.js';
import type { SimulatedPhone } from '../phone-registry.js';
import { type PlannedReport, UNDELIVERABLE, WITHHELD } from './delivery-plan.js';

const HREF = 'https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/';

/** A change to report in a callback. */
export interface ReportedChange {
  waba_id: string;
  field: string;
  value: unknown;
  /** When the change happened, in unix seconds; notices name it, messages and reports do not. */
  time?: number;
  /** Digits to add to an object as the integer `message_template_id`, which may be too large for a number. */
  template_id?: string;
}

/** A callback body with a single change for one account. */
export function changeBody({ waba_id, field, value, time, template_id }: ReportedChange): string {
  const json = asciiJson(value);
  const shown = template_id === undefined ? json : `{"message_template_id":${template_id},${json.slice(1)}`;
  const change = `{"field":${asciiJson(field)},"value":${shown}}`;
  const id = `"id":${asciiJson(waba_id)}${time === undefined ? '' : `,"time":${time}`}`;
  return `{"object":"whatsapp_business_account","entry":[{${id},"changes":[${change}]}]}`;
}

export const metadataOf = (phone: SimulatedPhone): object => ({
  display_phone_number: phone.display_phone_number,
  phone_number_id: phone.phone_number_id,
});

/** A report of a message's plan that is due. */
export interface DueReport {
  message: AcceptedMessage;
  /** Index into the message's plan. */
  step: number;
}

const knownFailures = new Map<number, string>();

/** The `errors` of a failure, as JSON. */
function errorsJson(code: number): string {
  const known = knownFailures.get(code);
  if (known !== undefined) return known;
  const title = titleOf(code);
  const json = asciiJson([{ code, title, message: title, error_data: { details: detailsOf(code) }, href: HREF }]);
  knownFailures.set(code, json);
  return json;
}

/** One conversation per customer and day. */
const conversationId = ({ waId, userId, at }: AcceptedMessage): string => `${waId ?? userId}${Math.floor(at / DAY)}`;

/**
 * One report as JSON. Concatenated by hand because this runs 30,000 times a second next to a busy service. The ids,
 * the number and the category need no escaping.
 */
function statusJson(report: DueReport, version: NetworkVersion): string {
  const { message } = report;
  const { id, waId, userId, bizOpaqueCallbackData: data } = message;
  const [status, , claimed, code = UNDELIVERABLE] = stepOf(report);
  const timestamp = Math.floor((message.at + claimed) / 1000);
  let json = `{"id":"${id}","status":"${status}","timestamp":"${timestamp}"`;
  if (waId !== null) json += `,"recipient_id":"${waId}"`;
  if (waId === null || status !== 'failed') json += `,"recipient_user_id":"${userId}"`;
  if (data !== null) json += `,"biz_opaque_callback_data":${asciiJson(data)}`;
  if (status === 'failed') return `${json},"errors":${errorsJson(code)}}`;
  return `${json}${hasPrice(message, status) ? priceOf(message, version) : ''}}`;
}

const stepOf = ({ message, step }: DueReport): PlannedReport => message.plan[step] ?? ['failed', 0, 0];

/** Since 2025 only `sent` and one of `delivered` and `read` include the price. */
const hasPrice = ({ plan }: AcceptedMessage, status: ReportedStatus): boolean =>
  (status !== 'read' && status !== 'played') ||
  plan.every(([planned, due]) => planned !== 'delivered' || due === WITHHELD);

/** The pricing, and the conversation: from version 24 on only that of a free entry point. */
function priceOf(message: AcceptedMessage, version: NetworkVersion): string {
  const { category, priceType: type } = message;
  const billable = type === 'regular';
  const pricing = `,"pricing":{"billable":${billable},"pricing_model":"PMP","category":"${category}","type":"${type}"}`;
  if (version !== 'v23' && type !== 'free_entry_point') return pricing;
  return `,"conversation":{"id":"${conversationId(message)}","origin":{"type":"${category}"}}${pricing}`;
}

/** The recipient of a reported message. Of failures only those with 131026 name one, by number. */
function contactJson(report: DueReport): string | null {
  const { waId, userId } = report.message;
  const [status, , , code = UNDELIVERABLE] = stepOf(report);
  if (status === 'failed') return code === UNDELIVERABLE && waId !== null ? `{"wa_id":"${waId}"}` : null;
  return waId === null ? `{"user_id":"${userId}"}` : `{"wa_id":"${waId}","user_id":"${userId}"}`;
}

/** The value of a change: the reports of one business phone and their recipients. */
function reportsJson(reports: DueReport[], phone: SimulatedPhone, version: NetworkVersion): string {
  const people = new Set(reports.map(contactJson));
  people.delete(null);
  const contacts = people.size === 0 ? '' : `,"contacts":[${[...people].join()}]`;
  const statuses = reports.map((report) => statusJson(report, version)).join();
  return `{"messaging_product":"whatsapp","metadata":${asciiJson(metadataOf(phone))}${contacts},"statuses":[${statuses}]}`;
}

/** A callback body with several reports: one change per business phone, grouped by account. */
export function reportsBody(
  reports: DueReport[],
  phoneOf: (id: string) => SimulatedPhone,
  version: NetworkVersion,
): string {
  const byPhone = new Map<string, DueReport[]>();
  for (const report of reports) {
    const { phoneNumberId } = report.message;
    const known = byPhone.get(phoneNumberId);
    if (known === undefined) byPhone.set(phoneNumberId, [report]);
    else known.push(report);
  }
  const byAccount = new Map<string, string[]>();
  for (const [phoneNumberId, own] of byPhone) {
    const phone = phoneOf(phoneNumberId);
    const changes = byAccount.get(phone.waba_id) ?? [];
    changes.push(`{"field":"messages","value":${reportsJson(own, phone, version)}}`);
    byAccount.set(phone.waba_id, changes);
  }
  const entries = [...byAccount].map(([id, changes]) => `{"id":${asciiJson(id)},"changes":[${changes.join()}]}`);
  return `{"object":"whatsapp_business_account","entry":[${entries.join()}]}`;
}
