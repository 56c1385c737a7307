import { Template } from '../../src/templates/template.entity.js';
import { newRecordId } from '../../src/values/record-id.js';
import type { Sink } from './sink.js';
import { authorizationOf, type BenchAccount, post, type Stack } from './stack.js';

/** The timings of one campaign. */
export interface CampaignRun {
  /** Duration of `POST /campaigns/` and `POST …/send` in milliseconds. */
  readonly createMs: number;
  readonly sendMs: number;
  /** From the response of `POST …/send` to the last message at the sink, in milliseconds. */
  readonly dispatchMs: number;
  /** Messages per second, from the first message at the sink to the last. */
  readonly perSecond: number;
}

/** Stores an approved template directly, because the sink has no template API. */
export async function storeTemplate(
  stack: Stack,
  account: BenchAccount,
  name: string,
  body = 'Your parcel is on its way',
): Promise<void> {
  await stack.unitOfWork.autocommit.manager.insert(Template, {
    accountId: account.accountId,
    id: newRecordId(),
    wabaId: account.wabaId,
    businessPhoneId: account.businessPhoneId,
    metaTemplateId: name,
    name,
    language: 'en_US',
    category: 'UTILITY',
    status: 'APPROVED',
    networkStatus: 'APPROVED',
    parameterFormat: 'POSITIONAL',
    headerFormat: 'NONE',
    body,
    components: [{ type: 'BODY', text: body }],
    variableCount: 0,
    requiresMedia: false,
    isCarousel: false,
  } as never);
}

/**
 * Creates a campaign to `recipients` contacts, numbered from `firstPhone`, sends it, and waits until it is completed.
 *
 * @param created called between creating and sending
 */
export async function runCampaign(
  stack: Stack,
  sink: Sink,
  account: BenchAccount,
  { template, recipients, firstPhone }: { template: string; recipients: number; firstPhone: number },
  created: () => Promise<void> = async () => undefined,
): Promise<CampaignRun> {
  const headers = authorizationOf(account);
  const contacts = Array.from({ length: recipients }, (_, index) => ({ phone: String(firstPhone + index) }));
  await sink.reset();
  const started = performance.now();
  const campaign = (await post(
    `${stack.baseUrl}/api/v1/campaigns/`,
    { name: 'Bench', template_name: template, contacts },
    headers,
  )) as { campaign_id: string; total_contacts: number };
  if (campaign.total_contacts !== recipients)
    throw new Error(`the campaign has ${campaign.total_contacts} contacts, expected ${recipients}`);
  const createMs = performance.now() - started;
  await created();
  const sending = performance.now();
  await post(`${stack.baseUrl}/api/v1/campaigns/${campaign.campaign_id}/send`, {}, headers);
  const answered = performance.now();
  const answeredAt = Date.now();
  for (;;) {
    const { messages, first, last } = await sink.count();
    if (messages >= recipients) {
      await untilCompleted(stack, campaign.campaign_id, headers);
      return {
        createMs,
        sendMs: answered - sending,
        dispatchMs: last - answeredAt,
        perSecond: recipients / ((last - first) / 1000),
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until all outcomes are stored. */
async function untilCompleted(stack: Stack, campaignId: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const answer = await fetch(`${stack.baseUrl}/api/v1/campaigns/${campaignId}/stats`, { headers });
    const { campaign_status, sent_count, total_contacts } = (await answer.json()) as Record<string, unknown>;
    if (campaign_status === 'completed' && sent_count === total_contacts) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
