import { DAY } from '../../src/values/clock.js';
import type { ReportedStatus } from '../control/behaviour.js';
import { titleOf } from '../graph-error.js';
import { asciiJson } from '../json-object.js';
import type { AcceptedMessage } from '../messages/accepted-message.js';
import type { SimulatedPhone } from '../phone-registry.js';
import type { PlannedReport } from './delivery-plan.js';

/** The error code of every planned `failed` report. */
const UNDELIVERABLE = 131026;

/** A callback body with a single change for one account. */
export const changeBody = (wabaId: string, field: string, value: unknown): string =>
  asciiJson({ object: 'whatsapp_business_account', entry: [{ id: wabaId, changes: [{ field, value }] }] });

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

const FAILURE = (() => {
  const title = titleOf(UNDELIVERABLE);
  const details = 'Message Undeliverable. Reasons can include that the recipient is not on the network.';
  return asciiJson([{ code: UNDELIVERABLE, title, message: title, error_data: { details } }]);
})();

/** One conversation per customer and day. */
const conversationId = ({ to, userId, at }: AcceptedMessage): string => `${to ?? userId}${Math.floor(at / DAY)}`;

/**
 * One report as JSON. Concatenated by hand because this runs 30,000 times a second next to a busy service. The ids,
 * the number and the category need no escaping.
 */
function statusJson(report: DueReport): string {
  const { message } = report;
  const { id, to, userId, bizOpaqueCallbackData: data } = message;
  const [status, , claimed] = stepOf(report);
  const timestamp = Math.floor((message.at + claimed) / 1000);
  let json = `{"id":"${id}","status":"${status}","timestamp":"${timestamp}"`;
  if (to !== null) json += `,"recipient_id":"${to}"`;
  if (to === null || status !== 'failed') json += `,"recipient_user_id":"${userId}"`;
  if (data !== null) json += `,"biz_opaque_callback_data":${asciiJson(data)}`;
  if (status === 'failed') return `${json},"errors":${FAILURE}}`;
  return `${json}${hasPrice(message, status) ? priceOf(message) : ''}}`;
}

const stepOf = ({ message, step }: DueReport): PlannedReport => message.plan[step] ?? ['failed', 0, 0];

/** Since 2025 only `sent` and one of `delivered` and `read` include the price. */
const hasPrice = ({ plan }: AcceptedMessage, status: ReportedStatus): boolean =>
  (status !== 'read' && status !== 'played') || plan.every(([planned]) => planned !== 'delivered');

/** The conversation and pricing fields, which always come together. */
function priceOf(message: AcceptedMessage): string {
  const { category, isFree } = message;
  const conversation = `{"id":"${conversationId(message)}","origin":{"type":"${category}"}}`;
  const type = isFree ? 'free_customer_service' : 'regular';
  const pricing = `{"billable":${!isFree},"pricing_model":"PMP","category":"${category}","type":"${type}"}`;
  return `,"conversation":${conversation},"pricing":${pricing}`;
}

/** The recipient of a reported message; null for failures, which do not name one. */
function contactJson(report: DueReport): string | null {
  const { to, userId } = report.message;
  if (stepOf(report)[0] === 'failed') return null;
  return to === null ? `{"user_id":"${userId}"}` : `{"wa_id":"${to}","user_id":"${userId}"}`;
}

/** The value of a change: the reports of one business phone and their recipients. */
function reportsJson(reports: DueReport[], phone: SimulatedPhone): string {
  const people = new Set(reports.map(contactJson));
  people.delete(null);
  const contacts = people.size === 0 ? '' : `,"contacts":[${[...people].join()}]`;
  const statuses = reports.map(statusJson).join();
  return `{"messaging_product":"whatsapp","metadata":${asciiJson(metadataOf(phone))}${contacts},"statuses":[${statuses}]}`;
}

/** A callback body with several reports: one change per business phone, grouped by account. */
export function reportsBody(reports: DueReport[], phoneOf: (id: string) => SimulatedPhone): string {
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
    changes.push(`{"field":"messages","value":${reportsJson(own, phone)}}`);
    byAccount.set(phone.waba_id, changes);
  }
  const entries = [...byAccount].map(([id, changes]) => `{"id":${asciiJson(id)},"changes":[${changes.join()}]}`);
  return `{"object":"whatsapp_business_account","entry":[${entries.join()}]}`;
}
