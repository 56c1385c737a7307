import { words } from '../../words/en.js';
import { duration } from '../../words/times.js';
import { type Campaign, statusOf } from './campaign-types.js';

const isHalf = ({ sent_count, total_contacts }: Campaign): boolean =>
  total_contacts > 1 && sent_count * 2 >= total_contacts;

/** What is worth saying aloud about a change; null for what only counts on. */
export function turningPoint(before: Campaign, after: Campaign): string | null {
  const { said } = words.campaign;
  const [was, is] = [statusOf(before), statusOf(after)];
  if (was !== is) {
    if (is === 'failed') return said.failedNow;
    if (is === 'running') return was === 'paused' || was === 'failed' || was === 'completed' ? said.running : null;
    if (is === 'paused' || is === 'completed' || is === 'cancelled') return said[is];
    return null;
  }
  const isGoing = is === 'running';
  if (isGoing && before.sent_count < after.sent_count && !isHalf(before) && isHalf(after)) return said.half;
  return null;
}

/** The state of a campaign, to be read aloud. */
export function stateOf(campaign: Campaign): string {
  const { said } = words.campaign;
  const { sent_count, total_contacts, delivered_count, read_count, clicked_count, failed_count } = campaign;
  const { rate_per_second: rate, seconds_left: left } = campaign;
  const status = words.campaigns.statuses[statusOf(campaign)];
  return [
    said.state(status, sent_count, total_contacts),
    said.figures(delivered_count, read_count, clicked_count),
    ...(failed_count > 0 ? [said.failed(failed_count)] : []),
    ...(rate !== null && left !== null ? [said.pace(rate, duration(left))] : []),
  ].join(' ');
}
