// Pure checks of whether messages go out and callbacks come in.
import { reasonOf, unasked } from './access-checks.js';
import { type Check, finding, ok } from './check.js';
import type { Readings } from './readings.js';

/** Without it neither reports nor messages of people arrive. */
const MESSAGES = 'messages';
/** The other fields that Parley acts on. */
const FIELDS = [
  'message_template_status_update',
  'template_category_update',
  'account_update',
  'business_capability_update',
  'phone_number_quality_update',
  'user_preferences',
] as const;
const WRONG_PIN = 133005;
const TOO_MANY_TRIES = 133016;
/** The network's code for a missing or failed payment. */
export const UNPAID = 131042;

export function checkRegistration({ registered, phone }: Readings): Check {
  if (registered !== null && registered.kind !== 'read') {
    const code = registered.kind === 'refused' ? registered.code : null;
    if (code === WRONG_PIN) {
      return finding('registration', 'failed', {
        found: reasonOf(registered),
        problem: 'The PIN is wrong: the number has a PIN of two-step verification already, and it is another one.',
        advice: 'Use that PIN, or turn two-step verification off in WhatsApp Manager and choose a new one.',
      });
    }
    return finding('registration', 'failed', {
      found: reasonOf(registered),
      problem:
        code === TOO_MANY_TRIES
          ? 'The number was registered too often: Meta allows ten tries in 72 hours.'
          : 'The number could not be registered.',
      advice: code === TOO_MANY_TRIES ? 'Wait until 72 hours have passed.' : 'Try again, or ask Meta’s support.',
    });
  }
  if (phone.kind !== 'read') return unasked('registration', `The phone could not be read. ${reasonOf(phone)}`);
  const { platformType, status, isOnBizApp, isCoexisting } = phone.value;
  if (isCoexisting) {
    return ok('registration', 'registered; the number is also in the WhatsApp Business app: 20 messages per second');
  }
  const found = `platform_type ${platformType ?? 'unknown'}, status ${status ?? 'unknown'}`;
  if (platformType === 'CLOUD_API' && status !== 'DISCONNECTED') return ok('registration', found);
  if (platformType === 'ON_PREMISE' || isOnBizApp) {
    return finding('registration', 'failed', {
      found,
      problem: `The number is in use in another app: ${isOnBizApp ? 'the WhatsApp Business app on a phone' : 'another provider’s API'}.`,
      advice: isOnBizApp
        ? 'Connect it there to the Cloud API (coexistence), or delete the account in that app first.'
        : 'Move the number away from the other provider first.',
    });
  }
  if (platformType === null) return unasked('registration', 'Meta does not tell whether the number is registered.');
  return finding('registration', 'failed', {
    found,
    problem: 'The number is not registered on the Cloud API, so nothing can be sent from it.',
    advice: 'Connect it with a PIN of six digits: `phones connect … --pin 123456`. Keep the PIN.',
  });
}

export function checkSubscription({ app, subscribers }: Readings): Check {
  if (subscribers.kind !== 'read') {
    return unasked('subscription', `The subscribed apps could not be read. ${reasonOf(subscribers)}`);
  }
  const others = subscribers.value.filter((id) => id !== app.appId);
  const also = others.length === 0 ? '' : `; also subscribed: ${others.join(', ')}`;
  if (subscribers.value.includes(app.appId)) return ok('subscription', `the app ${app.appId} is subscribed${also}`);
  return finding('subscription', 'failed', {
    found: others.length === 0 ? 'no app is subscribed to the account' : `only ${others.join(', ')} is subscribed`,
    problem: 'The app is not subscribed to the business account, so no report and no message reaches Parley.',
    advice: 'Run `phones connect` again with the same ids: it subscribes the app.',
  });
}

export function checkCallbackUrl({ subscription, callbackUrl: ours, phone }: Readings): Check {
  const override = phone.kind === 'read' ? phone.value.overrideUrl : null;
  if (subscription.kind !== 'read') {
    return unasked('callback_url', `The app’s webhook could not be read. ${reasonOf(subscription)}`);
  }
  const theirs = override ?? subscription.value?.callbackUrl ?? null;
  if (theirs === null) {
    return finding('callback_url', 'failed', {
      found: 'the app has no callback URL',
      problem: 'Meta does not know where to send reports and messages.',
      advice: `Enter ${ours ?? 'PUBLIC_URL followed by /network/callbacks'} on the page WhatsApp, Configuration.`,
    });
  }
  if (ours === null) {
    return finding('callback_url', 'unknown', {
      found: `Meta calls ${theirs}`,
      problem: 'Parley does not know its own address, so it cannot tell whether that is right.',
      advice: 'Set PUBLIC_URL to the address at which Meta reaches Parley, and restart.',
    });
  }
  if (theirs === ours) return ok('callback_url', `Meta calls ${theirs}`);
  return finding('callback_url', 'failed', {
    found: `Meta calls ${theirs}${override === null ? '' : ', set for this phone or its account instead of the app’s URL'}`,
    problem: `Reports and messages go elsewhere: Parley is at ${ours}.`,
    advice:
      override === null
        ? `Enter ${ours} on the page WhatsApp, Configuration, or correct PUBLIC_URL.`
        : 'Remove the override at Meta: it was set by whoever used the number before.',
  });
}

export function checkFields({ subscription }: Readings): Check {
  if (subscription.kind !== 'read') {
    return unasked('fields', `The app’s webhook could not be read. ${reasonOf(subscription)}`);
  }
  const ticked = new Set(subscription.value?.fields ?? []);
  const missing = [MESSAGES, ...FIELDS].filter((field) => !ticked.has(field));
  if (missing.length === 0) return ok('fields', `subscribed: ${[MESSAGES, ...FIELDS].join(', ')}`);
  const isDeaf = !ticked.has(MESSAGES);
  return finding('fields', isDeaf ? 'failed' : 'warning', {
    found: ticked.size === 0 ? 'no field is subscribed' : `subscribed: ${[...ticked].join(', ')}`,
    problem: isDeaf
      ? 'The field messages is not subscribed, so neither reports nor messages of people arrive.'
      : `Parley does not learn what these fields tell: ${missing.join(', ')}.`,
    advice: `On the page WhatsApp, Configuration, under Webhook fields, subscribe ${missing.join(', ')}.`,
  });
}

export function checkName({ phone }: Readings): Check {
  if (phone.kind !== 'read') return unasked('name', `The phone could not be read. ${reasonOf(phone)}`);
  const { verifiedName, nameStatus } = phone.value;
  const found = `${verifiedName ?? 'no name'}, ${nameStatus ?? 'status unknown'}`;
  if (nameStatus === null || /^(?:APPROVED|AVAILABLE_WITHOUT_REVIEW)$/.test(nameStatus)) return ok('name', found);
  return finding('name', 'warning', {
    found,
    problem:
      nameStatus === 'PENDING_REVIEW'
        ? 'Meta is still reviewing the display name; until then people see the number, and limits stay low.'
        : 'Meta has not approved the display name.',
    advice:
      nameStatus === 'PENDING_REVIEW'
        ? 'Wait for the review; it takes a day or two.'
        : 'Submit another name in WhatsApp Manager.',
  });
}

export function checkQuality({ phone }: Readings): Check {
  if (phone.kind !== 'read') return unasked('quality', `The phone could not be read. ${reasonOf(phone)}`);
  const { quality, messagingLimit, throughputLevel } = phone.value;
  const found = `quality ${quality ?? 'unknown'}, limit ${messagingLimit ?? 'unknown'}, throughput ${throughputLevel ?? 'unknown'}`;
  if (quality !== 'RED') return ok('quality', found);
  return finding('quality', 'warning', {
    found,
    problem: 'Many recipients block or report the messages of this phone. Meta may lower its limit.',
    advice: 'Send less marketing, and only to people who asked for it.',
  });
}

export function checkHealth({ phone }: Readings): Check {
  if (phone.kind !== 'read') return unasked('health', `The phone could not be read. ${reasonOf(phone)}`);
  const { health } = phone.value;
  if (health === null) return unasked('health', 'Meta does not tell the health of the phone.');
  const errors = health.errors.filter(({ code }) => code !== UNPAID);
  if (health.canSend === 'AVAILABLE') return ok('health', 'Meta says: AVAILABLE');
  // Payment has a check of its own, and does not block.
  if (errors.length === 0 && health.errors.length > 0) return ok('health', `${health.canSend}, for its payment only`);
  return finding('health', health.canSend === 'BLOCKED' ? 'failed' : 'warning', {
    found: `Meta says: ${health.canSend}`,
    problem: errors.map(({ code, description }) => `${description} (${code})`).join('; ') || 'Meta gives no reason.',
    advice: errors.map(({ solution }) => solution).find((each) => each !== null) ?? 'Look into WhatsApp Manager.',
  });
}

export function checkPayment({ phone, traffic }: Readings): Check {
  const health = phone.kind === 'read' ? phone.value.health : null;
  const told = health?.errors.find(({ code }) => code === UNPAID);
  const refusedAt = traffic?.unpaidAt ?? null;
  if (told === undefined && refusedAt === null) {
    return finding('payment', 'unknown', {
      found: 'no payment problem was met',
      problem: 'Meta does not tell whether a payment method is set; only the first refusal (131042) does.',
      advice: 'Make sure that the account has a payment method.',
    });
  }
  return finding('payment', 'warning', {
    found:
      refusedAt === null
        ? `the health of the account names ${UNPAID}: ${told?.description}`
        : `a message was refused with ${UNPAID} at ${refusedAt.toISOString()}`,
    problem: 'The business account has no valid payment method: messages that cost something are refused.',
    advice: 'Add or correct the payment method in WhatsApp Manager, under Overview, Payment settings.',
  });
}

export function checkLiveMode({ traffic }: Readings): Check {
  if (traffic?.isHeard) return ok('live_mode', 'callbacks have arrived in the last 24 hours');
  return finding('live_mode', 'unknown', {
    found: 'no callback has arrived in the last 24 hours',
    problem: 'Meta does not tell whether the app is in live mode; in development mode callbacks do not arrive.',
    advice: 'Look at the switch App mode at the top of the app’s dashboard. The first report proves it.',
  });
}

export function checkReports({ traffic }: Readings): Check {
  if (traffic === null) return ok('reports', 'nothing has been sent yet');
  if (traffic.silentSince === null) {
    return ok('reports', traffic.isHeard ? 'reports come' : 'nothing was sent that should have been reported');
  }
  return finding('reports', 'failed', {
    found: `a message accepted at ${traffic.silentSince.toISOString()} and all since have no report`,
    problem: 'The phone has been sending for more than an hour, and no report comes back.',
    advice: 'Mend what the checks above name. If they are all right, look at live mode.',
  });
}
