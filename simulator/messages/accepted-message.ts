import type { PlannedReport } from '../callbacks/delivery-plan.js';
import { isUserId, userIdOf } from '../callbacks/user-ids.js';
import { asciiJson } from '../json-object.js';

/** What the customer will do after the last report (recipients 9990004 and 9990005). */
export type CustomerReply =
  | { type: 'text'; text: string }
  | { type: 'button'; payload: string; text: string }
  | { type: 'button_reply'; id: string; title: string };

/** A message the network took responsibility for. */
export interface AcceptedMessage {
  /** Its place in the ledger, from 0. */
  sequence: number;
  /** The `wamid.…` given to the sender. */
  id: string;
  /** The number that the send named; null when it named a user id. */
  to: string | null;
  /** The recipient's business-scoped user id, whichever of the two the send named. */
  userId: string;
  phoneNumberId: string;
  bizOpaqueCallbackData: string | null;
  type: string;
  templateName: string | null;
  /** Milliseconds since the epoch. */
  at: number;
  /** Pricing category: of the template, or `service`. */
  category: string;
  /** Free of charge, as replies within the service window are. */
  isFree: boolean;
  plan: readonly PlannedReport[];
  reply: CustomerReply | null;
}

type Line = [
  id: string,
  /** A number or a user id, as the send named it. */
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

/** Plans are shared by most messages, and so is their JSON. */
const planJson = new WeakMap<readonly PlannedReport[], string>();

function jsonOf(plan: readonly PlannedReport[]): string {
  const known = planJson.get(plan);
  if (known !== undefined) return known;
  const json = JSON.stringify(plan);
  planJson.set(plan, json);
  return json;
}

/** The message as one row of the ledger file, in ASCII; its sequence is the row's number. */
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
