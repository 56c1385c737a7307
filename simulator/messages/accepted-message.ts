import type { PlannedReport } from '../callbacks/delivery-plan.js';
import { isUserId, userIdOf } from '../callbacks/user-ids.js';
import { asciiJson } from '../json-object.js';

/** The customer's reply after the last status report (recipients ending in 9990004, 9990005 and 9990016). */
export type CustomerReply =
  | { type: 'text'; text: string }
  | { type: 'button'; payload: string; text: string }
  | { type: 'button_reply'; id: string; title: string }
  | { type: 'list_reply'; id: string; title: string; description?: string };

/** `type` in the pricing of reports; only `regular` costs anything. */
export type PriceType = 'regular' | 'free_customer_service' | 'free_entry_point';

/** A message that the network accepted. */
export interface AcceptedMessage {
  /** Its position in the ledger, from 0. */
  sequence: number;
  /** The `wamid.…` returned to the sender. */
  id: string;
  /** The recipient's number as in the request, digits only; null when the message was sent to a user id. */
  to: string | null;
  /** The number in the network's spelling; null when the message was sent to a user id. */
  waId: string | null;
  /** The recipient's business-scoped user id, also set when the message was sent to a number. */
  userId: string;
  /** Whether the network names the recipient otherwise than `to` suggests. */
  isRenamed: boolean;
  phoneNumberId: string;
  bizOpaqueCallbackData: string | null;
  type: string;
  templateName: string | null;
  /** Milliseconds since the epoch. */
  at: number;
  /** Pricing category: the template's, `service`, or `referral_conversion` in a free entry point. */
  category: string;
  /** How the message is charged. */
  priceType: PriceType;
  plan: readonly PlannedReport[];
  reply: CustomerReply | null;
}

type Line = [
  id: string,
  /** A number or a user id, as in the request. */
  recipient: string,
  phoneNumberId: string,
  bizOpaqueCallbackData: string | null,
  type: string,
  templateName: string | null,
  at: number,
  category: string,
  /** Earlier files hold whether the message is free. */
  priceType: PriceType | boolean,
  plan: readonly PlannedReport[],
  reply: CustomerReply | null,
  /** Only if the recipient is renamed. */
  person?: [waId: string | null, userId: string],
];

/** Most messages share one plan, so its JSON is cached. */
const planJson = new WeakMap<readonly PlannedReport[], string>();

function jsonOf(plan: readonly PlannedReport[]): string {
  const known = planJson.get(plan);
  if (known !== undefined) return known;
  const json = JSON.stringify(plan);
  planJson.set(plan, json);
  return json;
}

/** Formats the message as one ASCII row of the ledger file; its sequence is the row number. */
export function toRow(message: AcceptedMessage): string {
  const { id, phoneNumberId, bizOpaqueCallbackData, type, templateName, at, category, priceType, plan, reply } =
    message;
  const recipient = message.to ?? message.userId;
  const start = asciiJson([
    id,
    recipient,
    phoneNumberId,
    bizOpaqueCallbackData,
    type,
    templateName,
    at,
    category,
    priceType,
  ]);
  const person = message.isRenamed ? `,${asciiJson([message.waId, message.userId])}` : '';
  return `${start.slice(0, -1)},${jsonOf(plan)},${reply === null ? 'null' : asciiJson(reply)}${person}]`;
}

export function fromRow(line: string, sequence: number): AcceptedMessage {
  const row = JSON.parse(line) as Line;
  const [id, recipient, phoneNumberId, bizOpaqueCallbackData, type, templateName, at, category, price, plan, reply] =
    row;
  const priceType = typeof price === 'string' ? price : price ? 'free_customer_service' : 'regular';
  const content = { phoneNumberId, bizOpaqueCallbackData, type, templateName, at, category, priceType, plan, reply };
  return { sequence, id, ...recipientOf(recipient, row[11]), ...content };
}

function recipientOf(
  recipient: string,
  renamed: Line[11],
): Pick<AcceptedMessage, 'to' | 'waId' | 'userId' | 'isRenamed'> {
  if (isUserId(recipient)) return { to: null, waId: null, userId: recipient, isRenamed: false };
  const [waId, userId] = renamed ?? [recipient, userIdOf(recipient)];
  return { to: recipient, waId, userId, isRenamed: renamed !== undefined };
}
