/** What a code of the network means, worded to follow “failed because …”, and what the sender should do about it. */
export interface CodeText {
  readonly meaning: string;
  readonly advice: string;
}

const NOTHING_TO_FIX = 'There is nothing to fix. Try again in a few minutes.';
const NEW_TOKEN = 'Create a new access token in Meta Business Suite, and give it to the business phone.';
const VALUES = 'Compare the values of the campaign with the variables of the template, and create the campaign again.';
const SUPPORT = 'Give the message’s id to the operator of Parley: the request itself is wrong.';
const REGISTER = 'Register the business phone at the network, then resume the campaign.';
const OTHER_TEMPLATE = 'Use another template, or edit this one in WhatsApp Manager and have it approved again.';
const MARKETING_API = 'Use another template: this kind needs another API of the network.';
const REACH_OTHERWISE = 'Reach the person in another way, or correct the number.';

/** The texts of the codes that the network documents; docs/errors.md lists them. */
export const NETWORK_CODE_TEXTS: Readonly<Record<number, CodeText>> = {
  0: { meaning: 'the network could not verify the access token of the business phone', advice: NEW_TOKEN },
  1: { meaning: 'the network had an error that it does not explain', advice: NOTHING_TO_FIX },
  2: { meaning: 'the network is down or overloaded', advice: NOTHING_TO_FIX },
  3: {
    meaning: 'the app may not use this part of the network',
    advice: 'Give the app the permission whatsapp_business_messaging in the dashboard of Meta, then try again.',
  },
  4: {
    meaning: 'the app has made too many calls to the network',
    advice: 'Try again in an hour, and lower the throughput of the business phone.',
  },
  10: {
    meaning: 'the permission to send from this business phone was not granted, or was revoked',
    advice: 'Grant the app access to the business account again, then try again.',
  },
  33: {
    meaning: 'the business phone no longer exists at the network, or belongs to another business',
    advice: 'Check the ids of the business phone in WhatsApp Manager, and connect it again.',
  },
  100: { meaning: 'the network found a field of the message invalid', advice: VALUES },
  190: { meaning: 'the access token of the business phone has expired or was revoked', advice: NEW_TOKEN },
  368: {
    meaning: 'the network has blocked the business account for breaking its policies',
    advice: 'Look up the reason in Business Support Home, and appeal there or wait until the block ends.',
  },
  80007: {
    meaning: 'the business account has reached its rate limit',
    advice: 'Try again in an hour, and spread campaigns over the day.',
  },
  80008: {
    meaning: 'the business account has reached its rate limit',
    advice: 'Try again in an hour, and spread campaigns over the day.',
  },
  130403: {
    meaning: 'the business has blocked this recipient',
    advice: 'Unblock the person in WhatsApp Manager if they should get messages again.',
  },
  130429: {
    meaning: 'the business phone is sending faster than the network allows',
    advice: 'Lower the throughput of the business phone to what the network allows, then try again.',
  },
  130472: {
    meaning: 'the network keeps this recipient out of marketing messages as part of an experiment',
    advice: 'Do not try again: the experiment goes on. Wait until the person writes, or reach them in another way.',
  },
  130497: {
    meaning: 'the network does not let this business send to the recipient’s country',
    advice: 'Leave out recipients in this country, or ask the network to allow it for the business.',
  },
  131000: { meaning: 'the network had an internal error', advice: NOTHING_TO_FIX },
  131005: { meaning: 'the access token has no permission for this business phone', advice: NEW_TOKEN },
  131008: { meaning: 'a required field of the message is missing', advice: VALUES },
  131009: { meaning: 'a field of the message has an invalid value', advice: VALUES },
  131016: { meaning: 'the network is temporarily unavailable', advice: NOTHING_TO_FIX },
  131021: {
    meaning: 'the recipient is the business phone itself',
    advice: 'Remove the number of the business phone from the recipients.',
  },
  131026: {
    meaning: 'the message cannot be delivered to this recipient: the number may not be on WhatsApp',
    advice: `Do not try again. ${REACH_OTHERWISE}`,
  },
  131030: {
    meaning: 'the recipient is not on the list of allowed test numbers',
    advice: 'Add the number to the list of the test phone, or send from a phone that is not for tests.',
  },
  131031: {
    meaning: 'the business account is locked',
    advice: 'Look up the reason in Business Support Home, and appeal there.',
  },
  131037: {
    meaning: 'the display name of the business phone has to be approved first',
    advice: 'Submit a display name in WhatsApp Manager, and wait for its approval.',
  },
  131042: {
    meaning: 'the business account has a payment problem',
    advice: 'Correct the payment method of the business account in WhatsApp Manager, then try again.',
  },
  131045: { meaning: 'the business phone is not registered completely', advice: REGISTER },
  131047: {
    meaning: 'more than 24 hours have passed since the recipient last wrote: only templates can be sent',
    advice: 'Send a template instead.',
  },
  131048: {
    meaning: 'the business phone is restricted because recipients reported its messages as spam',
    advice: 'Check the quality of the phone in WhatsApp Manager, and send only to people who expect your messages.',
  },
  131049: {
    meaning: 'the network limits how many marketing messages this recipient gets: do not try again for 24 hours',
    advice:
      'Try again once, after 24 hours, with `retry-failed` and `"include": ["marketing_cap"]`: the network punishes ' +
      'more attempts. Until then the person can still get utility templates, and answers to their own messages.',
  },
  131050: {
    meaning: 'the recipient has opted out of marketing messages of this business',
    advice: 'Do not try again: the contact is opted out until they opt in themselves.',
  },
  131051: { meaning: 'the network does not support this type of message', advice: SUPPORT },
  131052: {
    meaning: 'the network could not download the media',
    advice: 'Make sure that everybody can open the URL of the media without signing in, and create the campaign again.',
  },
  131053: {
    meaning: 'the network could not use the media',
    advice:
      'Check format and size of the media, and that its server names the right type; then create the campaign again.',
  },
  131055: { meaning: 'the template is not a marketing template', advice: MARKETING_API },
  131056: {
    meaning: 'too many messages were sent to this recipient in a short time',
    advice: 'Try again in some minutes, and send the person fewer messages at once.',
  },
  131057: {
    meaning: 'the business account is in maintenance',
    advice: 'There is nothing to fix. Try again in a few minutes: the throughput may be about to be raised.',
  },
  131062: {
    meaning: 'this template cannot be sent to a user id: the number is needed',
    advice: 'Ask the person for their number, or use a template without a one-time code.',
  },
  131063: {
    meaning: 'marketing messages are switched off for this business account',
    advice: 'Ask the network to switch marketing messages on for the business account, or send a UTILITY template.',
  },
  131064: {
    meaning: 'the network limits the utility messages of this business account because of misfiled templates',
    advice: 'Correct the category of templates that advertise, and wait until the limit ends, at least 7 days.',
  },
  132000: { meaning: 'the number of variables does not match the template', advice: VALUES },
  132001: {
    meaning: 'the template does not exist in this language, or is not approved',
    advice: 'Synchronise the templates, and have the template approved in the language of the campaign.',
  },
  132005: {
    meaning: 'the text of the template with its variables is too long',
    advice: 'Shorten the values of the variables, and create the campaign again.',
  },
  132007: { meaning: 'the template breaks a content policy', advice: OTHER_TEMPLATE },
  132012: { meaning: 'a variable does not have the format that the template expects', advice: VALUES },
  132015: {
    meaning: 'the template is paused because of its quality',
    advice: `Wait until the pause ends, then resume the campaign. ${OTHER_TEMPLATE}`,
  },
  132016: { meaning: 'the template is disabled because of its quality', advice: OTHER_TEMPLATE },
  132018: { meaning: 'the parameters do not fit the template', advice: VALUES },
  132068: {
    meaning: 'the flow of the template is blocked',
    advice: 'Correct and publish the flow in WhatsApp Manager, then resume the campaign.',
  },
  132069: {
    meaning: 'the flow of the template is limited to few messages an hour',
    advice: 'Mend the endpoint of the flow in WhatsApp Manager, then resume the campaign.',
  },
  133004: { meaning: 'the network is temporarily unavailable', advice: NOTHING_TO_FIX },
  133010: { meaning: 'the business phone is not registered', advice: REGISTER },
  133015: {
    meaning: 'the business phone was deleted a moment ago',
    advice: `Wait five minutes. ${REGISTER}`,
  },
  134100: { meaning: 'only marketing templates can be sent in this way', advice: MARKETING_API },
  134101: {
    meaning: 'the template is still being prepared by the network',
    advice: 'There is nothing to fix. Try again in ten minutes.',
  },
  134102: { meaning: 'the template cannot be sent in this way', advice: MARKETING_API },
  135000: {
    meaning: 'the network could not use the parameters of the message',
    advice: `${VALUES} If they fit, check the alerts of the business account in WhatsApp Manager.`,
  },
  137000: {
    meaning: 'the recipient’s identity has changed',
    advice: 'Make sure that the number still belongs to the person before you write to it again.',
  },
};
