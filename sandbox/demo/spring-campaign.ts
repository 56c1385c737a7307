import type { Parley } from '../../clients/typescript/src/index.js';
import { audience } from './audience.js';
import { untilApproved } from './campaign-run.js';

const TEMPLATE = 'demo_spring_invitation';

export interface SpringCampaign {
  readonly name: string;
  /** Recipients, at most 10,000. */
  readonly people: number;
  /** The business phone; by default the primary one. */
  readonly phoneId?: string;
}

/** Creates the template of spring campaigns unless there is one, and waits until the network has approved it. */
export async function ensureSpringTemplate(parley: Parley): Promise<void> {
  const { templates } = await parley.templates.list({ search: TEMPLATE });
  if (!templates.some(({ name }) => name === TEMPLATE)) {
    await parley.templates.create({
      name: TEMPLATE,
      category: 'MARKETING',
      language: 'en_US',
      body: { text: 'Hello {{1}}, our garden is open again. Will you come and see it?', examples: { 1: 'Ada' } },
      buttons: [
        { type: 'QUICK_REPLY', text: 'I will come' },
        { type: 'QUICK_REPLY', text: 'Not this year' },
      ],
    });
  }
  await untilApproved(parley, TEMPLATE);
}

/** Creates a campaign to an {@link audience}; returns its id. */
export async function createSpringCampaign(parley: Parley, { name, people, phoneId }: SpringCampaign): Promise<string> {
  const { campaign_id: id } = await parley.campaigns.create({
    name,
    template_name: TEMPLATE,
    ...(phoneId === undefined ? {} : { waba_phone_id: phoneId }),
    contacts: audience(people).map((person) => ({
      ...person,
      body_data: { 1: person.name.split(' ')[0] ?? 'friend' },
    })),
  });
  return id;
}
