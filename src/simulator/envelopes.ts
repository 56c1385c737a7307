import { DAY } from '../values/clock.js';
import type { AcceptedMessage } from './accepted-message.js';
import { titleOf } from './graph-error.js';
import { asciiJson } from './json-object.js';
import type { SimulatedPhone } from './phone-registry.js';

/** Why a message fails on its way: what 9990001 and a planned `failed` report. */
const UNDELIVERABLE = 131026;

/** A callback body with a single change of one account. */
export const changeBody = (wabaId: string, field: string, value: unknown): string =>
  asciiJson({ object: 'whatsapp_business_account', entry: [{ id: wabaId, changes: [{ field, value }] }] });

export const metadataOf = (phone: SimulatedPhone): object => ({
  display_phone_number: phone.display_phone_number,
  phone_number_id: phone.phone_number_id,
});

/** One report of a message's plan, about to be sent. */
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

/** One conversation for each customer and day. */
const conversationId = ({ to, at }: AcceptedMessage): string => `${to}${Math.floor(at / DAY)}`;

/**
 * One report as JSON. Put together by hand, since this runs 30,000 times a second beside a busy service; id, number
 * and category need no escaping.
 */
function statusJson({ message, step }: DueReport): string {
  const { id, to, category, bizOpaqueCallbackData: data } = message;
  const [status, , claimed] = message.plan[step] ?? ['failed', 0, 0];
  const timestamp = Math.floor((message.at + claimed) / 1000);
  let json = `{"id":"${id}","status":"${status}","timestamp":"${timestamp}","recipient_id":"${to}"`;
  if (data !== null) json += `,"biz_opaque_callback_data":${asciiJson(data)}`;
  if (status === 'failed') return `${json},"errors":${FAILURE}}`;
  // Since 2025 only `sent` and `delivered` say what the message costs; the conversation goes with them.
  if (status === 'read' || status === 'played') return `${json}}`;
  const conversation = `{"id":"${conversationId(message)}","origin":{"type":"${category}"}}`;
  const pricing = `{"billable":true,"pricing_model":"PMP","category":"${category}","type":"regular"}`;
  return `${json},"conversation":${conversation},"pricing":${pricing}}`;
}

/** A callback body with several reports: one change for each business phone, grouped by account. */
export function reportsBody(reports: DueReport[], phoneOf: (id: string) => SimulatedPhone): string {
  const byPhone = new Map<string, string>();
  for (const report of reports) {
    const { phoneNumberId } = report.message;
    const before = byPhone.get(phoneNumberId);
    byPhone.set(phoneNumberId, before === undefined ? statusJson(report) : `${before},${statusJson(report)}`);
  }
  const byAccount = new Map<string, string[]>();
  for (const [phoneNumberId, statuses] of byPhone) {
    const phone = phoneOf(phoneNumberId);
    const metadata = asciiJson(metadataOf(phone));
    const value = `{"messaging_product":"whatsapp","metadata":${metadata},"statuses":[${statuses}]}`;
    const changes = byAccount.get(phone.waba_id) ?? [];
    changes.push(`{"field":"messages","value":${value}}`);
    byAccount.set(phone.waba_id, changes);
  }
  const entries = [...byAccount].map(([id, changes]) => `{"id":${asciiJson(id)},"changes":[${changes.join()}]}`);
  return `{"object":"whatsapp_business_account","entry":[${entries.join()}]}`;
}
