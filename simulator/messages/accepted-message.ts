import type { PlannedReport } from '../callbacks/delivery-plan.js';
import { isUserId, userIdOf } from '../callbacks/user-ids.js';
import { asciiJson } from '../json-object.js';

/** The customer's reply after the last status report (recipients ending in 9990004 and 9990005). */
export type CustomerReply =
  | { type: 'text'; text: string }
  | { type: 'button'; payload: string; text: string }
  | { type: 'button_reply'; id: string; title: string };

/** A message that the network accepted. */
export interface AcceptedMessage {
  /** Its position in the ledger, from 0. */
  sequence: number;
  /** The `wamid.…` returned to the sender. */
  id: string;
  /** The recipient's number; null when the message was sent to a user id. */
  to: string | null;
  /** The recipient's business-scoped user id, also set when the message was sent to a number. */
  userId: string;
  phoneNumberId: string;
  bizOpaqueCallbackData: string | null;
  type: string;
  templateName: string | null;
  /** Milliseconds since the epoch. */
  at: number;
  /** Pricing category: the template's, or `service`. */
  category: string;
  /** Free of charge, e.g. a reply within the service window. */
  isFree: boolean;
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
  isFree: boolean,
  plan: readonly PlannedReport[],
  reply: CustomerReply | null,
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
  const { id, phoneNumberId, bizOpaqueCallbackData, type, templateName, at, category, isFree, plan, reply } = message;
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
    isFree,
  ]);
  return `${start.slice(0, -1)},${jsonOf(plan)},${reply === null ? 'null' : asciiJson(reply)}]`;
}

export function fromRow(line: string, sequence: number): AcceptedMessage {
  const [id, recipient, phoneNumberId, bizOpaqueCallbackData, type, templateName, at, category, isFree, plan, reply] =
    JSON.parse(line) as Line;
  const person = isUserId(recipient) ? { to: null, userId: recipient } : { to: recipient, userId: userIdOf(recipient) };
  const content = { phoneNumberId, bizOpaqueCallbackData, type, templateName, at, category, isFree, plan, reply };
  return { sequence, id, ...person, ...content };
}
