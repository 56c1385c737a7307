import { approvedTemplate } from '../support/templates.js';
import { until } from '../support/until.js';
import { type TestAccount, uniquePhone, type World } from '../support/world.js';

/** A message of a campaign, with our id and the network's. */
export interface CampaignMessage {
  readonly id: string;
  readonly networkId: string;
  readonly contact: string;
}

/** A campaign that has been sent. */
export interface SentCampaign {
  readonly id: string;
  readonly name: string;
  readonly messages: readonly CampaignMessage[];
}

/** The counters of `…/stats`. */
export interface Counters {
  readonly sent_count: number;
  readonly delivered_count: number;
  readonly read_count: number;
  readonly clicked_count: number;
  readonly failed_count: number;
  readonly replied_count: number;
}

/** Creates and sends a campaign to these contacts, or to that many new ones; the simulator decides about reports. */
export async function sendCampaign(
  world: World,
  account: TestAccount,
  contacts: number | readonly string[],
  template: Record<string, unknown> = {},
): Promise<SentCampaign> {
  const { name: template_name } = await approvedTemplate(world, account, template);
  const phones = typeof contacts === 'number' ? Array.from({ length: contacts }, () => uniquePhone()) : contacts;
  const name = `Campaign ${template_name}`;
  const created = await account.api.post<{ campaign_id: string }>('/api/v1/campaigns/', {
    name,
    template_name,
    contacts: phones.map((phone) => ({ phone })),
  });
  const id = created.body.campaign_id;
  const { status, text } = await account.api.post(`/api/v1/campaigns/${id}/send`);
  if (status !== 202) throw new Error(text);
  await until('the campaign is completed', async () => {
    const { body } = await account.api.get(`/api/v1/campaigns/${id}/stats`);
    return body['campaign_status'] === 'completed';
  });
  const ledger = await world.simulator.ledger(account.phone.phoneNumberId);
  const messages = ledger
    .filter((entry) => entry.template_name === template_name)
    .map((entry) => ({ id: entry.biz_opaque_callback_data, networkId: entry.id, contact: entry.to }));
  return { id, name, messages };
}

/** The campaign's counters, as its stats show them. */
export async function countersOf({ api }: TestAccount, campaignId: string): Promise<Counters> {
  const { body } = await api.get<Counters>(`/api/v1/campaigns/${campaignId}/stats`);
  const { sent_count, delivered_count, read_count, clicked_count, failed_count, replied_count } = body;
  return { sent_count, delivered_count, read_count, clicked_count, failed_count, replied_count };
}
