import type { FunnelFigure } from '../../parts/funnel-shape.js';
import { words } from '../../words/en.js';
import type { Campaign } from './campaign-types.js';
import type { Changes, PeopleFilter } from './people-filter.js';

/** A step with the people that it counts. */
export interface CampaignStep extends Omit<FunnelFigure, 'href'> {
  readonly choice: Changes;
}

type Counted = Pick<
  Campaign,
  'total_contacts' | 'sent_count' | 'delivered_count' | 'read_count' | 'clicked_count' | 'left_out'
>;

/** The way of a message, from all people to those who clicked. Each step counts those of the later ones, too. */
export function funnelOf(campaign: Counted, filter: PeopleFilter): CampaignStep[] {
  const { funnel } = words.campaign;
  const { total_contacts: all, sent_count: sent, delivered_count: delivered, read_count: read } = campaign;
  const { left_out, clicked_count: clicked } = campaign;
  const isFound = filter.search !== null || filter.status !== null || filter.errorCode !== null;
  const isChosen = (reached: PeopleFilter['reached']): boolean => !isFound && filter.reached === reached;
  const share = (part: number, whole: number, said: (part: number, whole: number) => string): string =>
    whole === 0 ? '' : said(part, whole);
  const leftOut = left_out === null ? '' : funnel.leftOut(left_out.duplicates + left_out.invalid_phones);
  const step = (reached: 'sent' | 'delivered' | 'read' | 'clicked', value: number, said: string): CampaignStep => ({
    label: funnel[reached],
    value,
    share: said,
    choice: { reached },
    isChosen: isChosen(reached),
  });
  return [
    { label: funnel.people, value: all, share: leftOut, choice: {}, isChosen: false },
    step('sent', sent, share(sent, all, funnel.ofPeople)),
    step('delivered', delivered, share(delivered, sent, funnel.ofSent)),
    step('read', read, share(read, delivered, funnel.ofDelivered)),
    step('clicked', clicked, share(clicked, read, funnel.ofRead)),
  ];
}
