import type { Pricing } from '../messages/message.entity.js';
import { type ToldIdentity, toldIdentity } from '../people/learned-identity.js';
import { isObject, type JsonObject, objects, text, unixSeconds } from '../values/network-json.js';

/** A status report about one of our messages. */
export interface StatusItem {
  readonly kind: 'status';
  readonly phoneNumberId: string;
  readonly status: NetworkStatus;
}

/** A status object of the network. */
export interface NetworkStatus {
  /** The network's id of the message. */
  readonly id: string;
  readonly status: string;
  /** Unix seconds, or null if missing. */
  readonly timestamp: number | null;
  readonly opaque: string | null;
  /** What it says about the recipient. */
  readonly recipient: ToldIdentity | null;
  readonly error: { readonly code: number; readonly message: string } | null;
  readonly pricing: Pricing | null;
  readonly raw: JsonObject;
}

/** The largest error code that fits its 32-bit column. */
const MAX_CODE = 2_147_483_647;

/** An error code that fits its column; null for anything else. */
const codeOf = (value: unknown): number | null =>
  Number.isInteger(value) && Math.abs(value as number) <= MAX_CODE ? (value as number) : null;

/** The entries of `contacts`, found by what they name. Each status or message of a callback may look for one. */
export class CallbackContacts {
  private readonly byNumber = new Map<unknown, JsonObject>();
  private readonly byUserId = new Map<unknown, JsonObject>();

  constructor(private readonly all: readonly JsonObject[]) {
    for (const contact of all.toReversed()) {
      if (contact['wa_id'] !== undefined) this.byNumber.set(contact['wa_id'], contact);
      if (contact['user_id'] !== undefined) this.byUserId.set(contact['user_id'], contact);
    }
  }

  ofUser(userId: unknown): JsonObject | null {
    return this.byUserId.get(userId) ?? null;
  }

  /** A single entry belongs to the message even if it names no one. */
  senderOf(message: JsonObject): JsonObject | null {
    return (
      this.byNumber.get(message['from']) ??
      this.byUserId.get(message['from_user_id']) ??
      this.byUserId.get(message['user_id']) ??
      (this.all.length === 1 ? (this.all[0] ?? null) : null)
    );
  }
}

/** Reads a status object; null when it lacks what every status has. */
export function readStatus(raw: JsonObject, contacts: CallbackContacts): NetworkStatus | null {
  const id = text(raw['id']);
  const status = text(raw['status']);
  if (id === null || status === null) return null;
  const [error] = objects(raw['errors']);
  const code = codeOf(error?.['code']);
  const details = error && isObject(error['error_data']) ? text(error['error_data']['details']) : null;
  return {
    id,
    status,
    timestamp: unixSeconds(raw['timestamp']),
    opaque: text(raw['biz_opaque_callback_data']),
    recipient: readRecipient(raw, contacts),
    error:
      code === null
        ? null
        : { code, message: details ?? text(error?.['message']) ?? text(error?.['title']) ?? 'no reason given' },
    pricing: readPricing(raw['pricing']),
    raw,
  };
}

/** Reads the recipient of a report, with the username from the callback's `contacts`. A group is nobody. */
function readRecipient(raw: JsonObject, contacts: CallbackContacts): ToldIdentity | null {
  if (raw['recipient_type'] === 'group') return null;
  const { recipient_id: number, recipient_user_id: userId } = raw;
  const profile = contacts.ofUser(userId)?.['profile'];
  const told = toldIdentity(number, userId, isObject(profile) ? text(profile['username']) : null);
  return told.number === null && told.user === null ? null : told;
}

/** Reads the pricing fields that have the right types; null when there are none. */
function readPricing(value: unknown): Pricing | null {
  if (!isObject(value)) return null;
  const { billable } = value;
  const category = text(value['category']);
  const model = text(value['pricing_model']);
  const type = text(value['type']);
  const pricing: Pricing = {
    ...(category === null ? {} : { category }),
    ...(model === null ? {} : { pricing_model: model }),
    ...(typeof billable === 'boolean' ? { billable } : {}),
    ...(type === null ? {} : { type }),
  };
  return Object.keys(pricing).length === 0 ? null : pricing;
}
