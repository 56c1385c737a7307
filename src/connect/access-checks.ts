// Pure checks of who we are to Meta: the app, its token, and whose phone it is.
import { type Check, finding, ok } from './check.js';
import type { Reading, Readings, TokenFacts } from './readings.js';

/** The permissions that a token needs. */
export const PERMISSIONS = ['whatsapp_business_messaging', 'whatsapp_business_management'] as const;

/** Why a question has no answer, as part of a sentence. */
export const reasonOf = (reading: Exclude<Reading<unknown>, { kind: 'read' }>): string =>
  reading.kind === 'refused' ? `Meta answered ${reading.code}: ${reading.message}` : reading.reason;

export function checkApp({ app, token, subscription }: Readings): Check {
  const answers = [token, subscription];
  if (answers.some(({ kind }) => kind === 'read')) return ok('app', `Meta knows the app ${app.appId} and its secret`);
  const refusal = answers.find((answer) => answer.kind === 'refused');
  const unread = answers.find((answer) => answer.kind === 'unread');
  if (refusal === undefined) {
    return finding('app', 'unknown', {
      found: unread?.kind === 'unread' ? unread.reason : 'nothing was asked',
      problem: 'Meta could not be asked whether it knows the app.',
      advice: 'Try again in a minute, and look whether this server reaches graph.facebook.com.',
    });
  }
  const where = app.name === 'environment' ? 'NETWORK_APP_ID and NETWORK_APP_SECRET' : '`apps remove` and `apps add`';
  return finding('app', 'failed', {
    found: reasonOf(refusal),
    problem: `Meta does not know the app ${app.appId}, or its secret is another one.`,
    advice: `Copy App ID and App secret from the app’s page App settings, Basic, and correct them with ${where}.`,
  });
}

export function checkToken({ token }: Readings): Check {
  if (token.kind !== 'read') {
    return finding('token', 'failed', {
      found: reasonOf(token),
      problem: 'The access token could not be looked up at Meta, so it is not trusted.',
      advice: 'Mend what the other checks name first; else create a new token.',
    });
  }
  const { isValid, expiresAt, type, error } = token.value;
  if (!isValid) {
    return finding('token', 'failed', {
      found: `Meta says that the token is not valid${error === null ? '' : `: ${error}`}`,
      problem: 'The access token is dead: it has expired or was revoked, so nothing can be sent.',
      advice: 'Create a permanent token of a system user, and store it with `phones connect` or `phones set --token`.',
    });
  }
  if (expiresAt !== null || type !== 'SYSTEM_USER') {
    const end = expiresAt === null ? 'without an end' : `until ${expiresAt.toISOString()}`;
    return finding('token', 'warning', {
      found: `a token of type ${type}, valid ${end}`,
      problem:
        expiresAt === null
          ? 'The token belongs to a person or a page: it dies when they change their password or leave.'
          : 'The token ends by itself. From then on nothing is sent and nothing says so at Meta.',
      advice: 'Create a permanent token of a system user.',
    });
  }
  return ok('token', 'a token of a system user that does not expire');
}

export function checkTokenApp({ app, token }: Readings): Check {
  if (token.kind !== 'read') return unasked('token_app', 'The token could not be looked up.');
  const { appId, application } = token.value;
  if (appId === app.appId) return ok('token_app', `the token belongs to the app ${appId}`);
  return finding('token_app', 'failed', {
    found: `the token belongs to the app ${appId}${application === null ? '' : ` (${application})`}`,
    problem: `Parley expects the app ${app.appId}. With this token the other app would get the callbacks.`,
    advice: `Create the token again and choose the app ${app.appId} there, or name the other app with --app.`,
  });
}

export function checkPermissions({ token }: Readings): Check {
  if (token.kind !== 'read') return unasked('permissions', 'The token could not be looked up.');
  const missing = PERMISSIONS.filter((permission) => !token.value.scopes.includes(permission));
  if (missing.length === 0) return ok('permissions', PERMISSIONS.join(', '));
  return finding('permissions', 'failed', {
    found: token.value.scopes.length === 0 ? 'the token has no permissions' : `only ${token.value.scopes.join(', ')}`,
    problem: `The token lacks ${missing.join(' and ')}.`,
    advice: 'Create the token again and tick both permissions.',
  });
}

export function checkBusinessAccount({ token, numberIds, phoneNumberId, wabaId }: Readings): Check {
  if (token.kind === 'read' && !reaches(token.value, wabaId)) {
    return finding('business_account', 'failed', {
      found: `the token was given ${token.value.wabaIds?.join(', ') || 'no business account'}`,
      problem: `The token has no access to the business account ${wabaId}.`,
      advice: 'Assign the WhatsApp account to the system user with full control, and create the token again.',
    });
  }
  if (numberIds.kind !== 'read') {
    return finding('business_account', 'failed', {
      found: reasonOf(numberIds),
      problem: `The phones of the business account ${wabaId} could not be read, so nobody knows whether it is yours.`,
      advice: 'Mend what the other checks name first; else compare the id with the one in WhatsApp Manager.',
    });
  }
  const { value: ids } = numberIds;
  if (ids.includes(phoneNumberId)) return ok('business_account', `${phoneNumberId} is a phone of ${wabaId}`);
  return finding('business_account', 'failed', {
    found: `the business account ${wabaId} has the phones ${ids.join(', ') || '(none)'}`,
    problem: `The phone ${phoneNumberId} belongs to another business account.`,
    advice: 'Copy both ids from the same page, WhatsApp, API Setup, and correct them with `phones set` or PATCH.',
  });
}

const reaches = ({ wabaIds }: TokenFacts, wabaId: string): boolean => wabaIds === null || wabaIds.includes(wabaId);

/** A check that an earlier failure keeps from being made. */
export const unasked = (check: Check['check'], why: string): Check =>
  finding(check, 'unknown', {
    found: 'not looked at',
    problem: why,
    advice: 'Mend what the checks before name, then check again.',
  });
