import { WalletsService } from '../../src/accounts/wallets.service.js';
import { recordOf } from '../messages/messages.js';
import type { ApiResponse } from '../support/api-client.js';
import type { LedgerEntry } from '../support/simulator-control.js';
import { until } from '../support/until.js';
import { type TestAccount, uniqueDigits, uniquePhone, type World } from '../support/world.js';

/** A campaign as the API shows it. */
export interface CampaignRecord {
  readonly campaign_id: string;
  readonly name: string;
  readonly campaign_status: string;
  readonly paused: boolean;
  readonly failure_reason: string | null;
  readonly total_contacts: number;
  readonly sent_count: number;
  readonly delivered_count: number;
  readonly read_count: number;
  readonly failed_count: number;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly [field: string]: unknown;
}

/** A recipient as the API shows it. */
export interface RecipientRecord {
  readonly contact_id: string;
  readonly contact_phone: string;
  readonly contact_name: string;
  readonly message_id: string | null;
  readonly status: string;
  readonly attempts: number;
  readonly error_code: number | null;
  readonly error_message: string | null;
  readonly retryable: boolean;
  readonly sent_at: string | null;
  readonly delivered_at: string | null;
  readonly read_at: string | null;
  readonly clicked_at: string | null;
  readonly replied_at: string | null;
}

type Action = 'send' | 'cancel' | 'pause' | 'resume' | 'retry-failed';

/**
 * The environment of a world where an answer counts as lost only when it is. On a busy machine the network may take
 * longer to answer than a customer should wait.
 */
export const PATIENT = { NETWORK_TIMEOUT_MS: '60000', LEASE_SECONDS: '60' };

/** A phone number that the network refuses immediately, for a reason of the contact. */
export const refusedPhone = (): string => `491${uniqueDigits().slice(-5)}9990002`;
/** A phone number whose send response is lost and never followed by a report. */
export const lostPhone = (): string => `491${uniqueDigits().slice(-5)}9990008`;

export const pathOf = (id: string, rest = ''): string => `/api/v1/campaigns/${id}${rest}`;

/** Requests an action and returns the response, whatever its status. */
export const act = (
  { api }: Pick<TestAccount, 'api'>,
  id: string,
  action: Action,
  body?: Record<string, unknown>,
): Promise<ApiResponse<{ campaign: CampaignRecord; error: string; message: string }>> =>
  api.post(pathOf(id, `/${action}`), body);

/** Creates a draft for `contacts`: so many new phone numbers, or the given ones. */
export async function draft(
  { api }: TestAccount,
  templateName: string,
  contacts: number | readonly string[],
  more: Record<string, unknown> = {},
): Promise<string> {
  const phones = typeof contacts === 'number' ? Array.from({ length: contacts }, () => uniquePhone()) : contacts;
  const { status, body, text } = await api.post<{ campaign_id: string }>('/api/v1/campaigns/', {
    name: 'Autumn',
    template_name: templateName,
    contacts: phones.map((phone) => ({ phone })),
    ...more,
  });
  if (status !== 200) throw new Error(text);
  return body.campaign_id;
}

/** Creates a campaign with {@link draft} and sends it. */
export async function started(...given: Parameters<typeof draft>): Promise<string> {
  const id = await draft(...given);
  const { status, text } = await act(given[0], id, 'send');
  if (status !== 202) throw new Error(text);
  return id;
}

/** Status and message of a response that rejects a request as bad. */
export const badRequest = (message: string | RegExp): { status: number; message: unknown } => ({
  status: 400,
  message: typeof message === 'string' ? message : expect.stringMatching(message),
});

export async function campaignOf({ api }: TestAccount, id: string): Promise<CampaignRecord> {
  const { status, body, text } = await api.get<{ campaign: CampaignRecord }>(pathOf(id));
  if (status !== 200) throw new Error(text);
  return body.campaign;
}

/** A campaign as lists and the answers to actions show it: without its pace. */
export async function listedCampaign(account: TestAccount, id: string): Promise<CampaignRecord> {
  const { rate_per_second: _, seconds_left: __, ...listed } = await campaignOf(account, id);
  return listed as CampaignRecord;
}

export const untilCampaign = (account: TestAccount, id: string, status: string): Promise<CampaignRecord> =>
  until(`the campaign is ${status}`, async () => {
    const campaign = await campaignOf(account, id);
    return campaign.campaign_status === status && campaign;
  });

export async function recipientsOf({ api }: TestAccount, id: string, query = ''): Promise<RecipientRecord[]> {
  const path = pathOf(id, `/recipients?limit=100${query}`);
  return (await api.get<{ recipients: RecipientRecord[] }>(path)).body.recipients;
}

export const balanceOf = (world: World, { accountId }: TestAccount): Promise<number> =>
  world.parley.app.get(WalletsService).balance(accountId);

/** Recipients of the messages of a template that the network accepted, one entry per message. */
export async function sentTo(world: World, account: TestAccount, templateName: string): Promise<string[]> {
  const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
  return ledger.filter(({ template_name }) => template_name === templateName).map(({ to }) => to);
}

/** Waits until it is stored that the network has accepted a message, so that a report about it applies immediately. */
export const untilAccepted = (account: TestAccount, entry: LedgerEntry | undefined): Promise<true> =>
  until('the acceptance is stored', async () => {
    const record = await recordOf(account, entry?.biz_opaque_callback_data);
    return record.network_message_id !== null;
  });

/** Lets the account's phones send as fast as usual from now on. */
export const hurry = (world: World, { accountId }: TestAccount): Promise<number> =>
  world.unitOfWork.autocommit.affected('UPDATE business_phones SET throughput = 0 WHERE account_id = $1', [accountId]);

/** Waits until the account has no sends in flight. */
export const untilIdle = (world: World, { accountId }: TestAccount): Promise<true> =>
  until('nothing is in flight', async () => {
    const row = await world.unitOfWork.autocommit.row('SELECT id FROM sends_in_flight WHERE account_id = $1', [
      accountId,
    ]);
    return row === null;
  });

/**
 * Expects that the counters of an idle campaign match the latest messages of its recipients and the lists of these, and
 * that the credits spent match all messages sent.
 */
export async function expectBooksBalanced(
  world: World,
  account: TestAccount,
  id: string,
  credits: number,
): Promise<void> {
  await untilIdle(world, account);
  const row = await world.unitOfWork.autocommit.row<Record<string, number>>(
    `SELECT count(*) FILTER (WHERE m.network_message_id IS NOT NULL)::integer AS spent,
            count(r) FILTER (WHERE m.network_message_id IS NOT NULL)::integer AS sent,
            count(r) FILTER (WHERE m.status IN ('delivered', 'read', 'clicked'))::integer AS delivered,
            count(r) FILTER (WHERE m.status IN ('read', 'clicked'))::integer AS read,
            count(*) FILTER (WHERE m.status = 'failed' AND r.state = 'claimed')::integer AS failed
     FROM messages m
     LEFT JOIN campaign_recipients r
       ON r.account_id = m.account_id AND r.campaign_id = m.campaign_id AND r.message_id = m.id
     WHERE m.account_id = $1 AND m.campaign_id = $2`,
    [account.accountId, id],
  );
  const campaign = await campaignOf(account, id);
  expect({
    spent: credits - (await balanceOf(world, account)),
    sent: campaign.sent_count,
    delivered: campaign.delivered_count,
    read: campaign.read_count,
    failed: campaign.failed_count,
  }).toEqual(row);
  await expectFunnelListed(account, id);
}

/** Expects that each counter of a campaign is the number of recipients in its list. */
export async function expectFunnelListed(account: TestAccount, id: string): Promise<void> {
  const totalOf = async (query: string): Promise<unknown> => {
    const { body, text, status } = await account.api.get(pathOf(id, `/recipients?limit=1&${query}`));
    if (status !== 200) throw new Error(text);
    return body['total'];
  };
  const { sent_count, delivered_count, read_count, clicked_count, replied_count, failed_count } = await campaignOf(
    account,
    id,
  );
  expect({
    sent_count: await totalOf('reached=sent'),
    delivered_count: await totalOf('reached=delivered'),
    read_count: await totalOf('reached=read'),
    clicked_count: await totalOf('reached=clicked'),
    replied_count: await totalOf('reached=replied'),
    failed_count: await totalOf('status=failed'),
  }).toEqual({ sent_count, delivered_count, read_count, clicked_count, replied_count, failed_count });
}
