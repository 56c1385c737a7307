import type { PlannedReport } from './delivery-plan.js';
import { asciiJson } from './json-object.js';

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
  to: string;
  phoneNumberId: string;
  bizOpaqueCallbackData: string | null;
  type: string;
  templateName: string | null;
  /** Milliseconds since the epoch. */
  at: number;
  /** Pricing category: of the template, or `service`. */
  category: string;
  plan: readonly PlannedReport[];
  reply: CustomerReply | null;
}

type Line = [
  string,
  string,
  string,
  string | null,
  string,
  string | null,
  number,
  string,
  readonly PlannedReport[],
  CustomerReply | null,
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
  const { id, to, phoneNumberId, bizOpaqueCallbackData, type, templateName, at, category, plan, reply } = message;
  const start = asciiJson([id, to, phoneNumberId, bizOpaqueCallbackData, type, templateName, at, category]);
  return `${start.slice(0, -1)},${jsonOf(plan)},${reply === null ? 'null' : asciiJson(reply)}]`;
}

export function fromRow(line: string, sequence: number): AcceptedMessage {
  const [id, to, phoneNumberId, bizOpaqueCallbackData, type, templateName, at, category, plan, reply] = JSON.parse(
    line,
  ) as Line;
  return { sequence, id, to, phoneNumberId, bizOpaqueCallbackData, type, templateName, at, category, plan, reply };
}
