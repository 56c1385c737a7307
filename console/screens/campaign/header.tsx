import type { ComponentChildren } from 'preact';
import type { BusinessPhoneRecord } from '../../../clients/typescript/src/generated/schema.js';
import { accountId } from '../../data/account.js';
import { useQuery } from '../../data/query.js';
import { addressOf } from '../../frame/route-match.js';
import { Icon } from '../../parts/icon.js';
import { StatusPill } from '../../parts/status-pill.js';
import { words } from '../../words/en.js';
import { fullTime } from '../../words/times.js';
import { readMostRead } from './campaign-api.js';
import type { Campaign } from './campaign-types.js';
import { phoneNumber } from './phone-number.js';
import { campaignKey } from './use-campaign.js';

interface HeaderProps {
  /** Null until it is known. */
  readonly campaign: Campaign | null;
  readonly phone: BusinessPhoneRecord | null;
  /** Its buttons. */
  readonly children: ComponentChildren;
}

/** The name of a campaign, its status, and who started it. */
export function Header({ campaign, phone, children }: HeaderProps) {
  return (
    <header class="head">
      <div class="grow">
        <a class="crumb" href={addressOf(accountId.value, 'campaigns')}>
          {words.campaign.back}
          <Icon name="right" />
        </a>
        <h1 tabIndex={-1} class="titled">
          <span dir="auto">{campaign?.name ?? words.campaign.title}</span>
          {campaign !== null && <StatusPill status={campaign.campaign_status} paused={campaign.paused} />}
        </h1>
        {campaign !== null && (
          <p class="sub">
            <Origin campaign={campaign} phone={phone} />
            {campaign.campaign_status === 'completed' && campaign.read_count > 0 && (
              <MostRead id={campaign.campaign_id} />
            )}
          </p>
        )}
      </div>
      <div class="actions">{children}</div>
    </header>
  );
}

/** Who started a campaign, and from where it is sent. */
function Origin({ campaign, phone }: { campaign: Campaign; phone: BusinessPhoneRecord | null }) {
  const { started_at, scheduled_at } = campaign;
  const text = originOf(campaign);
  const at = started_at ?? scheduled_at ?? campaign.created_at;
  if (phone === null) return <span title={fullTime(at)}>{text}</span>;
  return (
    <>
      <span title={fullTime(at)}>{words.campaign.from(text)}</span>{' '}
      <bdi class="num nowrap">{phoneNumber(phone.phone)}</bdi>
    </>
  );
}

/** “Started at 16:14 by Nura Hallebek” */
function originOf({ started_at, started_by, scheduled_at, campaign_status, created_at, created_by }: Campaign): string {
  const { campaign } = words;
  const now = new Date();
  if (started_at !== null) {
    const at = campaign.at(started_at, now);
    if (started_by === null) return campaign.started(at);
    if (started_by.source === 'schedule') return campaign.startedOnTime(at);
    if (started_by.source === 'manual' && started_by.name !== null) return campaign.startedBy(at, started_by.name);
    return started_by.source === 'api' ? campaign.startedByKey(at) : campaign.started(at);
  }
  if (campaign_status === 'scheduled' && scheduled_at !== null) {
    return campaign.scheduledFor(campaign.at(scheduled_at, now));
  }
  const name = created_by?.name ?? null;
  return name === null ? campaign.notStarted : campaign.createdBy(campaign.at(created_at, now), name);
}

/** By when most people who read it had done so. */
function MostRead({ id }: { id: string }) {
  const key = [...campaignKey(id), 'most-read'];
  const at = useQuery(key, (signal) => readMostRead(id, signal)).value.data ?? null;
  if (at === null) return null;
  return (
    <>
      {' · '}
      <time dateTime={at} title={fullTime(at)}>
        {words.campaign.mostRead(words.when(at, new Date()))}
      </time>
    </>
  );
}
