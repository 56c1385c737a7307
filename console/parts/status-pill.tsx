import type { CampaignRecord } from '../../clients/typescript/src/generated/schema.js';
import { words } from '../words/en.js';
import { Icon, type IconName } from './icon.js';

export type CampaignStatus = CampaignRecord['campaign_status'];
/** The status as people see it: a paused campaign is still a running one. */
export type ShownStatus = CampaignStatus | 'paused';

/** How each looks: what works is quiet, what needs a person is coloured. */
const LOOKS: Readonly<Record<ShownStatus, { readonly tone: string; readonly icon: IconName | 'pulse' | null }>> = {
  draft: { tone: '', icon: null },
  scheduled: { tone: '', icon: 'clock' },
  running: { tone: 'on', icon: 'pulse' },
  paused: { tone: 'warn', icon: 'pause' },
  completed: { tone: '', icon: 'checks' },
  cancelled: { tone: '', icon: 'stop' },
  failed: { tone: 'bad', icon: 'alert' },
};

export const shownStatus = (status: CampaignStatus, paused: boolean): ShownStatus =>
  status === 'running' && paused ? 'paused' : status;

/** The status of a campaign in a word, with what makes it seen at once. */
export function StatusPill({ status, paused }: { status: CampaignStatus; paused: boolean }) {
  const shown = shownStatus(status, paused);
  const { tone, icon } = LOOKS[shown];
  return (
    <span class={tone === '' ? 'pill' : `pill ${tone}`}>
      {icon === 'pulse' ? <span class="dot pulse" /> : icon !== null && <Icon name={icon} />}
      {words.campaigns.statuses[shown]}
    </span>
  );
}
