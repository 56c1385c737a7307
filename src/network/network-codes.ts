// What the network's error codes mean: one table for answers, reports and everything else that asks.
import { NETWORK_CODE_TEXTS } from './network-code-texts.js';

/**
 * What a network error code means for the message:
 * - `retry`: not sent, try again later
 * - `stop_phone`: nothing can be sent from this phone until the customer acts
 * - `stop_template`: nothing can be sent with this template
 * - `stop_category`: nothing can be sent of this template's category
 * - `request`: our request is wrong; the message fails
 * - `contact`: this contact cannot get it; the message fails
 * - `unknown`: the network does not document the code; the message fails, and may be sent again by hand
 */
export type ErrorClass = 'retry' | 'stop_phone' | 'stop_template' | 'stop_category' | 'request' | 'contact' | 'unknown';

/** The classes of codes that the network documents. */
export type ListedClass = Exclude<ErrorClass, 'unknown'>;

/** The codes of each class; docs/errors.md lists them. */
export const NETWORK_CODES: Readonly<Record<ListedClass, readonly number[]>> = {
  retry: [1, 2, 4, 80007, 80008, 130429, 131000, 131016, 131056, 131057, 133004, 134101],
  stop_phone: [0, 3, 10, 33, 190, 368, 131005, 131031, 131037, 131042, 131045, 131048, 133010, 133015],
  stop_template: [132001, 132015, 132016, 132068, 132069, 134102],
  stop_category: [131063, 131064],
  request: [
    100, 131008, 131009, 131021, 131051, 131052, 131053, 131055, 131062, 132000, 132005, 132007, 132012, 132018, 134100,
    135000, 137000,
  ],
  contact: [130403, 130472, 130497, 131026, 131030, 131047, 131049, 131050],
};

/** Codes of which the network documents the range only, each from and to. */
export const NETWORK_RANGES: readonly (readonly [from: number, to: number, ListedClass])[] = [
  [200, 299, 'stop_phone'],
  [133000, 133016, 'stop_phone'],
  [131020, 131020, 'request'],
  [131041, 131041, 'request'],
  [131200, 131299, 'request'],
  [138000, 138018, 'request'],
  [139000, 139004, 'request'],
  [139100, 139103, 'request'],
  [147001, 147005, 'request'],
  [200005, 200007, 'request'],
  [2388000, 2388999, 'request'],
];

const CLASS_OF_CODE: ReadonlyMap<number, ErrorClass> = new Map(
  Object.entries(NETWORK_CODES).flatMap(([kind, codes]) => codes.map((code) => [code, kind as ErrorClass] as const)),
);

/** The phone sends faster than the network allows: slow it down. */
export const THROUGHPUT_EXCEEDED = 130429;
/** The business account is banned or restricted. */
export const BUSINESS_LOCKED = 131031;
/** Utility templates are limited, because some were not about utility. */
export const UTILITY_LIMITED = 131064;
/**
 * In a report: the network has dropped the message while it paced the business, and drops everything of the kind until
 * its review has ended. In an answer it is a fault of our request.
 */
export const DROPPED_IN_REPORTS = 135000;
/** The template is not ready yet where the message went. */
export const TEMPLATE_PREPARING = 134101;
/** Too many messages to the same recipient: wait 4^n seconds. */
export const PAIR_RATE_EXCEEDED = 131056;
/** The recipient gets no more marketing messages for now: once more may be tried, a day later. */
export const MARKETING_CAP_REACHED = 131049;
/** The recipient has opted out of marketing messages. */
export const CONTACT_OPTED_OUT = 131050;

/** The network does not let the business send to the recipient's country. */
export const COUNTRY_CLOSED = 130497;
/** A test number sends to recipients on its list only. */
export const NOT_ALLOWED_TO_TEST = 131030;

/** The code of a field error, which with {@link PHONE_GONE} means that the phone is not ours any more. */
const INVALID_FIELD = 100;
const PHONE_GONE = 33;

/** What the network answers to a message with the id of a file that it does not have any more. */
const FORGOTTEN_MEDIA: ReadonlySet<number> = new Set([INVALID_FIELD, 131009, 131052, 131053]);

/** Whether a refusal of a message with the id of a file may mean that the network has forgotten the file. */
export const mayMeanForgottenMedia = (code: number): boolean => FORGOTTEN_MEDIA.has(code);

/** What of an error decides its class. */
export interface Classified {
  readonly code: number;
  readonly subcode?: number | null;
  /** Whether the network says that the error will pass. */
  readonly isTransient?: boolean;
  /** Whether it came in a report about a message that had been accepted. */
  readonly isReported?: boolean;
}

/** The class of an error. */
export function classOf({ code, subcode = null, isTransient = false, isReported = false }: Classified): ErrorClass {
  if (isTransient) return 'retry';
  if (isReported && code === DROPPED_IN_REPORTS) return 'stop_category';
  if (code === INVALID_FIELD && subcode === PHONE_GONE) return 'stop_phone';
  return CLASS_OF_CODE.get(code) ?? NETWORK_RANGES.find(([from, to]) => code >= from && code <= to)?.[2] ?? 'unknown';
}

/** What an error of this class stops besides the message; null: nothing. */
export const stoppedBy = (kind: ErrorClass): 'phone' | 'template' | 'category' | null => STOPPED[kind] ?? null;

const STOPPED: Readonly<Partial<Record<ErrorClass, 'phone' | 'template' | 'category'>>> = {
  stop_phone: 'phone',
  stop_template: 'template',
  stop_category: 'category',
};

/** What the sender should do about a code without a text of its own, by its class. */
const ADVICE: Readonly<Record<ErrorClass, string>> = {
  retry: 'There is nothing to fix. Try again later.',
  stop_phone: 'Check the business phone and its account in WhatsApp Manager, then resume the campaign.',
  stop_template: 'Check the template in WhatsApp Manager, or use another one.',
  stop_category: 'Look up in WhatsApp Manager until when the network refuses this category, or use another one.',
  request: 'Compare the message with the template, and create the campaign again.',
  contact: 'Do not try again: the network would refuse the recipient again.',
  unknown: 'Look up the code at the network. `retry-failed` sends to these recipients again.',
};

/** What a code means and what the sender should do about it, for lists of failures. */
export function explainCode(code: number): { readonly title: string; readonly advice: string } {
  const text = NETWORK_CODE_TEXTS[code];
  if (text === undefined)
    return { title: `The network refused the message (${code})`, advice: ADVICE[classOf({ code })] };
  return { title: text.meaning.charAt(0).toUpperCase() + text.meaning.slice(1), advice: text.advice };
}

/** A refusal in plain words, followed by the network's code and text. */
export function plainWords({ code, message }: { readonly code: number; readonly message: string }): string {
  const text = NETWORK_CODE_TEXTS[code]?.meaning;
  return text === undefined ? `the network refused the message: ${message} (${code})` : `${text} (${code}: ${message})`;
}
