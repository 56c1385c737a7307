/** What a failure means to those who sent, and what they can do. */
export interface FailureText {
  readonly title: string;
  readonly advice: string;
}

const FAULT = { title: 'The network had a fault', advice: 'Another attempt may succeed.' };
const OPTED_OUT = { title: 'Opted out of marketing', advice: 'They wrote STOP, or told the network.' };
const VALUES = {
  title: 'A value did not fit the template',
  advice: 'Compare the values with the variables of the template, then create the campaign again.',
};
const ACCOUNT = { title: 'The phone number may not send', advice: 'An admin finds the reason in WhatsApp Manager.' };
const TEMPLATE = { title: 'The template can’t be sent', advice: 'Look at its state, or use another one.' };
const MEDIA = {
  title: 'The file could not be used',
  advice: 'Check that everybody can open it, and its kind and size.',
};

/** By error code; others have the words of the API. */
export const campaignFailures: Readonly<Record<number, FailureText>> = {
  1: FAULT,
  2: FAULT,
  131000: FAULT,
  131016: FAULT,
  131057: FAULT,
  133004: FAULT,
  190: ACCOUNT,
  368: ACCOUNT,
  131005: ACCOUNT,
  131031: ACCOUNT,
  131048: ACCOUNT,
  133010: ACCOUNT,
  131042: {
    title: 'The network could not charge you',
    advice: 'An admin corrects the payment method in WhatsApp Manager.',
  },
  100: VALUES,
  131008: VALUES,
  131009: VALUES,
  132000: VALUES,
  132012: VALUES,
  132018: VALUES,
  131052: MEDIA,
  131053: MEDIA,
  132001: TEMPLATE,
  132007: TEMPLATE,
  132015: { title: 'The template was paused', advice: 'Too many people blocked or reported it.' },
  132016: {
    title: 'The template was switched off',
    advice: 'Too many people blocked or reported it. Use another one.',
  },
  130403: { title: 'You have blocked them', advice: 'Unblock them in WhatsApp Manager if they should get messages.' },
  130429: { title: 'Sent faster than the network allows', advice: 'Another attempt may succeed.' },
  130472: {
    title: 'Kept out of marketing',
    advice: 'The network does so with some people. Another attempt doesn’t help.',
  },
  130497: { title: 'Not allowed in their country', advice: 'The network doesn’t let your business send there.' },
  131021: { title: 'That is your own number', advice: 'Take it out of the list.' },
  131026: { title: 'Can’t receive it', advice: 'The number may not be on WhatsApp.' },
  131030: { title: 'Not on the test list', advice: 'A test phone sends only to numbers on its list.' },
  131047: { title: 'Too long since they wrote', advice: 'After 24 hours only a template can be sent.' },
  131049: {
    title: 'Had enough marketing for now',
    advice: 'The network limits it per person.',
  },
  131050: OPTED_OUT,
  131056: { title: 'Too many messages to them at once', advice: 'Another attempt may succeed in some minutes.' },
  900001: OPTED_OUT,
  900002: {
    title: 'May have got it',
    advice: 'The network never said. It is not sent again, so that nobody gets it twice.',
  },
  900003: { title: 'The network could not be reached', advice: 'They did not get it. Another attempt may succeed.' },
  900004: { title: 'The network asked to wait', advice: 'They did not get it. Another attempt may succeed.' },
  900005: { title: 'Was not sent to', advice: 'The campaign was cancelled before.' },
  900006: { title: 'A value is missing', advice: 'Fill in the field of the contact, or give the variable a fallback.' },
  900007: { title: 'No marketing to the United States', advice: 'The network delivers none. Their credits came back.' },
  900008: { title: 'No news for 30 days', advice: 'They most likely did not get it.' },
  900009: { title: 'Failed without a reason', advice: 'Another attempt may succeed.' },
};
