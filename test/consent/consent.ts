import { ConsentService, type ConsentStanding } from '../../src/consent/consent.service.js';
import { changeOf } from '../inbound/inbound.js';
import type { TestAccount, World } from '../support/world.js';

/** A decision as the API shows it. */
export interface Decision {
  readonly decision: 'in' | 'out';
  readonly by: string;
  readonly at: string;
  readonly evidence: { readonly kind: string; readonly id: string } | null;
}

export async function ledgerOf({ api }: TestAccount, contactId: string): Promise<Decision[]> {
  const { body } = await api.get<{ consent: Decision[]; total: number }>(
    `/api/v1/contacts/${contactId}/consent?limit=100`,
  );
  expect(body.total).toBe(body.consent.length);
  return body.consent;
}

/** What `contacts consent` prints. */
export const standingOf = (world: World, { accountId }: TestAccount, phone: string): Promise<ConsentStanding> =>
  world.parley.app.get(ConsentService).standing(accountId, phone);

export const upload = ({ api }: TestAccount, raw: string) =>
  api.post('/api/v1/contacts/import', undefined, { raw, headers: { 'content-type': 'text/csv' } });

/** Sends a `user_preferences` notice of the network. */
export async function preference(
  world: World,
  phone: TestAccount['phone'],
  fields: Record<string, unknown>,
): Promise<void> {
  const value = changeOf(phone, { user_preferences: [{ category: 'marketing_messages', ...fields }] });
  const { callback_status } = await world.simulator.callback('user_preferences', value);
  expect(callback_status).toBe(200);
}
