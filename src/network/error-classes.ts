/**
 * What a network error code means for the message:
 * - `retry`: not sent, try again later
 * - `stop_phone`: nothing can be sent from this phone until the customer acts
 * - `stop_template`: nothing can be sent with this template
 * - `request`: our request is wrong; the message fails
 * - `contact`: this contact cannot get it; the message fails
 */
export type ErrorClass = 'retry' | 'stop_phone' | 'stop_template' | 'request' | 'contact';

/** The codes of each class; docs/errors.md lists them. */
export const NETWORK_CODES: Readonly<Record<ErrorClass, readonly number[]>> = {
  retry: [1, 2, 4, 80007, 130429, 131000, 131016, 131056, 131057, 133004],
  stop_phone: [131048, 368, 131031, 133010, 190, 131042],
  stop_template: [132015, 132016, 132001],
  request: [100, 131008, 131009, 132000, 132005, 132007, 132012],
  contact: [131026, 131047, 131050, 130472, 131049],
};

const CLASS_OF_CODE: ReadonlyMap<number, ErrorClass> = new Map(
  Object.entries(NETWORK_CODES).flatMap(([kind, codes]) => codes.map((code) => [code, kind as ErrorClass] as const)),
);

/** The phone sends faster than the network allows: slow it down. */
export const THROUGHPUT_EXCEEDED = 130429;
/** The business account is banned or restricted. */
export const BUSINESS_LOCKED = 131031;
/** Too many messages to the same recipient: wait 4^n seconds. */
export const PAIR_RATE_EXCEEDED = 131056;
/** The recipient has opted out of marketing messages. */
export const CONTACT_OPTED_OUT = 131050;

/** The class of an error code. An unknown code counts as an error in our request: the message fails. */
export const classOf = (code: number): ErrorClass => CLASS_OF_CODE.get(code) ?? 'request';
