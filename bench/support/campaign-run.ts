import { Template } from '../../src/templates/template.entity.js';
import { newRecordId } from '../../src/values/record-id.js';
import type { Sink } from './sink.js';
import { type BenchAccount, post, type Stack } from './stack.js';

/** How one campaign went. */
export interface CampaignRun {
  /** How long `POST /campaigns/` and `POST …/send` took, milliseconds. */
  readonly createMs: number;
  readonly sendMs: number;
  /** From the answer of send to the last message at the sink, milliseconds. */
  readonly dispatchMs: number;
  /** From the first message at the sink to the last, per second. */
  readonly perSecond: number;
}

/** Stores an approved template without asking the network, which a sink could not answer for. */
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
 * Makes a campaign to `recipients` contacts from `firstPhone` on, sends it, and waits until every outcome is stored.
 *
 * @param created called between making and sending
 */
export async function runCampaign(
  stack: Stack,
  sink: Sink,
  account: BenchAccount,
  { template, recipients, firstPhone }: { template: string; recipients: number; firstPhone: number },
  created: () => Promise<void> = async () => undefined,
): Promise<CampaignRun> {
  const headers = { authorization: `Bearer ${account.apiKey}` };
  const contacts = Array.from({ length: recipients }, (_, index) => ({ phone: String(firstPhone + index) }));
  await sink.reset();
  const started = performance.now();
  const campaign = (await post(
    `${stack.baseUrl}/api/v1/campaigns/`,
    { name: 'Bench', template_name: template, contacts },
    headers,
  )) as { campaign_id: string; total_contacts: number };
  if (campaign.total_contacts !== recipients) throw new Error(`${campaign.total_contacts} of ${recipients} contacts`);
  const createMs = performance.now() - started;
  await created();
  const made = performance.now();
  await post(`${stack.baseUrl}/api/v1/campaigns/${campaign.campaign_id}/send`, {}, headers);
  const answered = performance.now();
  const answeredAt = Date.now();
  for (;;) {
    const { messages, first, last } = await sink.count();
    if (messages >= recipients) {
      await completed(stack, campaign.campaign_id, headers);
      return {
        createMs,
        sendMs: answered - made,
        dispatchMs: last - answeredAt,
        perSecond: recipients / ((last - first) / 1000),
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Waits until every outcome is stored. */
async function completed(stack: Stack, campaignId: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const answer = await fetch(`${stack.baseUrl}/api/v1/campaigns/${campaignId}/stats`, { headers });
    const { campaign_status, sent_count, total_contacts } = (await answer.json()) as Record<string, unknown>;
    if (campaign_status === 'completed' && sent_count === total_contacts) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
