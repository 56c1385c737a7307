import { urlOrNull } from '../src/values/parse-url.js';
import { isObject, isText, type JsonObject } from './json-object.js';
import type { SimulatedPhone } from './phone-registry.js';

/** How to start a simulator. */
export interface SimulatorOptions {
  /** 0 takes any free port. */
  port: number;
  host?: string;
  /** Directory for its files; created if missing. Only one simulator may use it at a time. */
  dataDir: string;
  /** Where to send callbacks; without it they wait for `setCallbackUrl`. */
  callbackUrl?: string;
  /** The only app that may upload; if absent, any app may. */
  appId?: string;
  /** Signs the callbacks. */
  appSecret: string;
  /** Accepted but unused: the simulator does not verify the callback URL. */
  verifyToken?: string;
  phones?: SimulatedPhone[];
  /** How many callbacks may be on their way. With 1, they arrive in the order in which they were due. */
  callbacksAtOnce?: number;
  /**
   * How long a control call waits until its callback has been accepted with 2xx, milliseconds. By default it returns the
   * first answer.
   */
  acceptanceTimeoutMs?: number;
}

const OPTIONAL_TEXTS = ['host', 'callbackUrl', 'appId', 'verifyToken'];
const PHONE_FIELDS = ['phone_number_id', 'waba_id', 'display_phone_number'];

function problemWith(options: JsonObject): string | undefined {
  const { port, dataDir, appSecret, callbackUrl, callbacksAtOnce = 1, acceptanceTimeoutMs = 0 } = options;
  const { phones = [] } = options;
  if (!Number.isInteger(port) || (port as number) < 0 || (port as number) > 65_535) return 'port must be 0 to 65535';
  if (!isText(dataDir)) return 'dataDir is required';
  if (!isText(appSecret)) return 'appSecret is required';
  const wrong = OPTIONAL_TEXTS.find((name) => options[name] !== undefined && !isText(options[name]));
  if (wrong !== undefined) return `${wrong} must be a string`;
  if (!Number.isInteger(callbacksAtOnce) || (callbacksAtOnce as number) < 1)
    return 'callbacksAtOnce must be at least 1';
  if (!Number.isInteger(acceptanceTimeoutMs) || (acceptanceTimeoutMs as number) < 0)
    return 'acceptanceTimeoutMs must be a whole number of milliseconds';
  if (typeof callbackUrl === 'string' && urlOrNull(callbackUrl) === null) return 'callbackUrl must be a URL';
  const valid = (phone: unknown): boolean => isObject(phone) && PHONE_FIELDS.every((field) => isText(phone[field]));
  if (!Array.isArray(phones) || !phones.every(valid)) return `phones must be an array of {${PHONE_FIELDS.join(', ')}}`;
  return undefined;
}

/**
 * Parses options from one line of JSON.
 * @throws Error with a one-sentence reason
 */
export function parseOptions(line: string): SimulatorOptions {
  let options: unknown;
  try {
    options = JSON.parse(line);
  } catch {
    throw new Error('the configuration is not JSON');
  }
  if (!isObject(options)) throw new Error('the configuration must be a JSON object');
  const problem = problemWith(options);
  if (problem !== undefined) throw new Error(problem);
  return options as unknown as SimulatorOptions;
}
