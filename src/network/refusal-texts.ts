import type { Refusal } from './network-error.js';

/** What the network's error codes mean, worded for the sender. */
const TEXTS: Readonly<Record<number, string>> = {
  4: 'the app has made too many calls to the network',
  100: 'the network found a field of the message invalid',
  190: 'the access token of the business phone has expired or was revoked',
  368: 'the network has blocked the business account for breaking its policies',
  80007: 'the business account has reached its rate limit',
  130429: 'the business phone is sending faster than the network allows',
  130472: 'the network keeps this recipient out of marketing messages as part of an experiment',
  131000: 'the network had an internal error',
  131008: 'a required field of the message is missing',
  131009: 'a field of the message has an invalid value',
  131016: 'the network is temporarily unavailable',
  131026: 'the message cannot be delivered to this recipient: the number may not be on WhatsApp',
  131030: 'the recipient is not on the list of allowed test numbers',
  131031: 'the business account is locked',
  131042: 'the business account has a payment problem',
  131047: 'more than 24 hours have passed since the recipient last wrote: only templates can be sent',
  131048: 'the business phone is restricted because recipients reported its messages as spam',
  131049: 'the network limits how many marketing messages this recipient gets: do not try again for 24 hours',
  131050: 'the recipient has opted out of marketing messages of this business',
  131056: 'too many messages were sent to this recipient in a short time',
  131057: 'the business account is in maintenance',
  132000: 'the number of variables does not match the template',
  132001: 'the template does not exist in this language, or is not approved',
  132005: 'the text of the template with its variables is too long',
  132007: 'the template breaks a content policy',
  132012: 'a variable does not have the format that the template expects',
  132015: 'the template is paused because of its quality',
  132016: 'the template is disabled because of its quality',
  133004: 'the network is temporarily unavailable',
  133010: 'the business phone is not registered',
};

/** A refusal in plain words, followed by the network's code and text. */
export function plainWords({ code, message }: Pick<Refusal, 'code' | 'message'>): string {
  const text = TEXTS[code];
  return text === undefined ? `the network refused the message: ${message} (${code})` : `${text} (${code}: ${message})`;
}
