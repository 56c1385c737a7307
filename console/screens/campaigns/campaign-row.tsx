import { accountId } from '../../data/account.js';
import { addressOf } from '../../frame/route-match.js';
import { navigate } from '../../frame/router.js';
import { Icon } from '../../parts/icon.js';
import { Menu, type MenuItem } from '../../parts/menu.js';
import { ProgressBar } from '../../parts/progress-bar.js';
import { type ShownStatus, StatusPill, shownStatus } from '../../parts/status-pill.js';
import { Time } from '../../parts/time.js';
import { words } from '../../words/en.js';
import type { Campaign } from '../campaign/campaign-api.js';

/** What a row’s menu asks for. */
export type RowChoice = 'pause' | 'resume' | 'cancel';

interface CampaignRowProps {
  readonly campaign: Campaign;
  /** Null for those who may not change campaigns. */
  readonly choose: ((campaign: Campaign, choice: RowChoice) => void) | null;
  readonly isBusy: boolean;
}

const TONES: Readonly<Record<ShownStatus, 'going' | 'paused' | 'failed' | 'ended'>> = {
  draft: 'ended',
  scheduled: 'ended',
  running: 'going',
  paused: 'paused',
  completed: 'ended',
  cancelled: 'ended',
  failed: 'failed',
};

/** A campaign in the list. The whole row leads to it. */
export function CampaignRow({ campaign, choose, isBusy }: CampaignRowProps) {
  const { campaigns } = words;
  const { campaign_id, name, template_name, campaign_status, paused, started_at } = campaign;
  const { sent_count, read_count, failed_count, total_contacts } = campaign;
  const status = shownStatus(campaign_status, paused);
  const hasBegun = started_at !== null || campaign_status === 'running';
  const href = addressOf(accountId.value, `campaigns/${campaign_id}`);
  return (
    <tr class={isBusy ? 'busy' : undefined} aria-busy={isBusy ? 'true' : undefined}>
      <td class="name">
        <a class="strong cut" id={`campaign-${campaign_id}`} href={href} dir="auto">
          {name}
        </a>
        <span class="faint xs cut">
          <bdi>{template_name}</bdi>
        </span>
      </td>
      <td class="status">
        <StatusPill status={campaign_status} paused={paused} />
      </td>
      <td class={hasBegun ? 'sent begun num dim' : 'sent num dim'}>
        {!hasBegun ? (
          campaigns.people(total_contacts)
        ) : (
          <>
            <ProgressBar
              value={sent_count}
              max={total_contacts}
              tone={TONES[status]}
              label={campaigns.progress(sent_count, total_contacts)}
            />
            <span class="xs dim" aria-hidden="true">
              {campaigns.sentOf(sent_count, total_contacts)}
            </span>
          </>
        )}
      </td>
      <td class="read num">
        {sent_count > 0 && (
          <>
            {campaigns.read(read_count, sent_count)}
            <span class="unit"> {campaigns.readUnit}</span>
          </>
        )}
      </td>
      <td class="failed num">
        {failed_count > 0 && (
          <span class="bad">
            <Icon name="alert" />
            {campaigns.failed(failed_count)}
          </span>
        )}
      </td>
      <td class="when num faint">
        <When campaign={campaign} status={status} />
      </td>
      {choose !== null && (
        <td class="more">
          <Menu
            class="btn icon quiet"
            label={campaigns.actionsFor(name)}
            items={itemsFor(status, href, (choice) => choose(campaign, choice))}
            isAtEnd
          >
            <Icon name="more" />
          </Menu>
        </td>
      )}
    </tr>
  );
}

function itemsFor(status: ShownStatus, href: string, choose: (choice: RowChoice) => void): readonly MenuItem[] {
  const { open, pause, resume, cancel } = words.campaigns;
  const [canResume, isOpen] = [
    status === 'paused' || status === 'failed',
    status === 'draft' || status === 'scheduled',
  ];
  return [
    { id: 'open', label: open, choose: () => navigate(href) },
    ...(status === 'running' ? [{ id: 'pause', label: pause, choose: () => choose('pause') }] : []),
    ...(canResume ? [{ id: 'resume', label: resume, choose: () => choose('resume') }] : []),
    ...(isOpen || status === 'running' || status === 'paused'
      ? [{ id: 'cancel', label: cancel, choose: () => choose('cancel') }]
      : []),
  ];
}

/** The time that matters of a campaign: what comes next, else what was last. */
function When({ campaign, status }: { campaign: Campaign; status: ShownStatus }) {
  const { when } = words.campaigns;
  const { created_at, scheduled_at, started_at, completed_at, waiting_until, seconds_left } = campaign;
  if (status === 'scheduled' && scheduled_at !== null) return <Time at={scheduled_at} text={when.starts} />;
  if (status === 'running' && waiting_until !== null) return <Time at={waiting_until} text={when.waits} />;
  if (status === 'running' && seconds_left !== null) return <>{when.left(seconds_left)}</>;
  if (completed_at !== null) return <Time at={completed_at} text={when.completed} />;
  if (started_at !== null) return <Time at={started_at} text={when.started} />;
  return <Time at={created_at} text={when.created} />;
}
