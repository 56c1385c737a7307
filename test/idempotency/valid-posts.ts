import { type DescribedRoute, pathOf } from '../http/routes.js';
import { SAMPLES } from '../http/tenant-records.js';
import { type ApiResponse } from '../support/api-client.js';
import { withExtensions } from '../support/extension-records.js';
import type { Surroundings, TenantRecords } from '../support/module-records.js';
import { uniquePhone } from '../support/world.js';

/** A POST request that succeeds: sending it twice sends the same bytes. */
export interface ValidPost {
  readonly path: string;
  readonly contentType: string;
  readonly body: string | undefined;
}

const campaignAction =
  (...actions: readonly string[]) =>
  async ({ account, values }: TenantRecords): Promise<void> => {
    for (const action of actions) {
      const { status, text } = await account.api.post(`/api/v1/campaigns/${values.campaign_id}/${action}`);
      if (status > 202) throw new Error(`${action}: ${text}`);
    }
  };

/** Brings the records of a new account into the state that a route needs. */
const READY = withExtensions('ready', {
  'POST /api/v1/business-phones/connect': ({ values }, { world }) =>
    world.simulator.addPhone(`9${values.contact_phone}`, `8${values.contact_phone}`, '+1 555 0199'),
  'POST /api/v1/campaigns/:campaign_id/pause': campaignAction('send'),
  'POST /api/v1/campaigns/:campaign_id/resume': campaignAction('send', 'pause'),
  'POST /api/v1/campaigns/:campaign_id/retry-failed': async ({ account, values }, { world: { unitOfWork } }) => {
    const { template_name, contact_phone, campaign_id } = values;
    const { body } = await account.api.post('/api/v1/messages/send', { template_name, contact_phone });
    const given = [account.accountId, campaign_id, body.message_id];
    await unitOfWork.autocommit.affected(
      `WITH failed AS (
         UPDATE messages SET campaign_id = $2, status = 'failed', error_code = 131000
         WHERE account_id = $1 AND id = $3
       ), stopped AS (
         UPDATE campaigns SET status = 'failed', started_at = now(), price = 1 WHERE account_id = $1 AND id = $2
       )
       UPDATE campaign_recipients SET state = 'claimed', message_id = $3 WHERE account_id = $1 AND campaign_id = $2`,
      given,
    );
  },
  'POST /api/v1/conversations/:contact_phone/reopen': ({ account, values }) =>
    account.api.post(`/api/v1/conversations/${values.contact_phone}/resolve`, {}),
  'POST /api/v1/conversations/:contact_phone/unassign': ({ account, values }) =>
    account.api.post(`/api/v1/conversations/${values.contact_phone}/assign`, { user_id: values.user_id }),
  'POST /api/v1/webhooks/:webhook_id/deliveries/:delivery_id/redeliver': ({ account, values }, { world }) =>
    world.unitOfWork.autocommit.affected(
      `UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL WHERE account_id = $1 AND id = $2`,
      [account.accountId, values.delivery_id],
    ),
});

/** Brings the records of an account into the state that the route needs. */
export const makeReady = async ({ key }: DescribedRoute, records: TenantRecords, around: Surroundings): Promise<void> =>
  void (await READY[key]?.(records, around));

/** Bodies that differ from those of test/http/tenant-records.ts, which need not succeed. */
const BODIES: Readonly<Record<string, (own: TenantRecords['values'], around: Surroundings) => object>> = {
  'POST /api/v1/business-phones/connect': (own) => ({
    phone_number_id: `9${own.contact_phone}`,
    waba_id: `8${own.contact_phone}`,
    token: 'token',
  }),
  'POST /api/v1/templates/create-carousel': (own, { pictureUrl }) => {
    const sample = SAMPLES['POST /api/v1/templates/create-carousel']?.(own) ?? {};
    const cards = sample.cards as readonly object[];
    return { ...sample, cards: cards.map((card) => ({ ...card, media_url: pictureUrl })) };
  },
  'POST /api/v1/webhooks': () => ({ url: 'http://127.0.0.1:1/another' }),
};

/** The body of a form with one file. */
const formWith = (filename: string, type: string, file: string): Omit<ValidPost, 'path'> => ({
  contentType: 'multipart/form-data; boundary=limit',
  body: [
    '--limit',
    `Content-Disposition: form-data; name="file"; filename="${filename}"`,
    `Content-Type: ${type}`,
    '',
    file,
    '--limit--',
    '',
  ].join('\r\n'),
});

/** Bodies of routes that take no JSON. */
const OTHER_BODIES: Readonly<Record<string, () => Omit<ValidPost, 'path'>>> = {
  'POST /api/v1/contacts/import': () =>
    formWith('contacts.csv', 'text/csv', `phone_number,first_name\n${uniquePhone()},Ada\n`),
  'POST /api/v1/media': () => formWith('terms.pdf', 'application/pdf', '%PDF-1.4\n%%EOF\n'),
};

/** Prepares the account for the route and returns a request that succeeds. */
export async function validPost(
  route: DescribedRoute,
  records: TenantRecords,
  around: Surroundings,
): Promise<ValidPost> {
  const { key } = route;
  await makeReady(route, records, around);
  const path = pathOf(route, records.values);
  const other = OTHER_BODIES[key]?.();
  if (other !== undefined) return { path, ...other };
  const body = (BODIES[key] ?? SAMPLES[key])?.(records.values, around);
  return { path, contentType: 'application/json', body: body === undefined ? undefined : JSON.stringify(body) };
}

/** What to do about a first request that did not succeed. */
export const howToPrepare = (route: DescribedRoute, { status, text }: ApiResponse): string =>
  `${route.key} answers ${status} (${text}): give it a valid body in test/http/tenant-records.ts, and bring its records into ` +
  'the state it needs in READY here; an extension does both in its tests/records.ts';
