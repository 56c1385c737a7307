import type { BusinessPhoneRecord } from '../../../clients/typescript/src/generated/schema.js';
import { accountId } from '../../data/account.js';
import { hasStatus } from '../../data/failure.js';
import { useQuery } from '../../data/query.js';
import { DeadEnd } from '../../frame/dead-end.js';
import { useSubject } from '../../frame/page-title.js';
import { addressOf } from '../../frame/route-match.js';
import { search } from '../../frame/router.js';
import type { ScreenProps } from '../../frame/screen.js';
import { Funnel } from '../../parts/funnel.js';
import { LoadFailed } from '../../parts/load-failed.js';
import { Skeleton } from '../../parts/skeleton.js';
import { words } from '../../words/en.js';
import { ActionButtons } from './action-buttons.js';
import { Announcer } from './announcer.js';
import { readPhone } from './campaign-api.js';
import type { Campaign } from './campaign-types.js';
import { Details } from './details.js';
import { Failures } from './failures.js';
import { funnelOf } from './funnel-steps.js';
import { Header } from './header.js';
import { Message } from './message.js';
import { Notices } from './notices.js';
import { Pace } from './pace.js';
import { People } from './people.js';
import { filterOf } from './people-filter.js';
import { peopleHref, showPeople } from './people-link.js';
import { Progress } from './progress.js';
import { type Actions, useActions } from './use-actions.js';
import { useCampaign } from './use-campaign.js';
import { useRefresh } from './use-refresh.js';

/** One campaign: how far it got, what went wrong, and whom it reached. */
export function Screen({ parameters: { id = '' } }: ScreenProps) {
  return <WatchedScreen key={id} id={id} />;
}

function WatchedScreen({ id }: { id: string }) {
  const watched = useCampaign(id);
  const { campaign, error, isStale, reload } = watched;
  const actions = useActions(id, watched);
  const phone = usePhone(campaign?.waba_phone_id ?? null);
  useRefresh(id, campaign);
  useSubject(campaign?.name ?? null);
  if (campaign === null && hasStatus(error, 400, 404)) {
    return <DeadEnd {...words.campaign.gone} home={addressOf(accountId.value, 'campaigns')} />;
  }
  return (
    <>
      <Header campaign={campaign} phone={phone}>
        {campaign !== null && <ActionButtons campaign={campaign} actions={actions} />}
      </Header>
      {campaign !== null ? (
        <div class={isStale ? 'campaign stale' : 'campaign'}>
          <Announcer campaign={campaign} />
          <Notices campaign={campaign} outcome={actions.outcome} />
          <Progress campaign={campaign} />
          <Parts campaign={campaign} phone={phone} actions={actions} />
        </div>
      ) : error === null ? (
        <Skeleton rows={8} />
      ) : (
        <LoadFailed what={words.campaign.loading} error={error} retry={reload} />
      )}
    </>
  );
}

interface PartsProps {
  readonly campaign: Campaign;
  readonly phone: BusinessPhoneRecord | null;
  readonly actions: Actions;
}

function Parts({ campaign, phone, actions }: PartsProps) {
  const hasStarted = campaign.started_at !== null;
  return (
    <div class="split">
      <div class="stack">
        <section class="panel" aria-label={words.campaign.parts.funnel}>
          <Funnel
            steps={funnelOf(campaign, filterOf(search.value)).map(({ choice, ...step }) => ({
              ...step,
              href: peopleHref(choice),
            }))}
            onFollow={showPeople}
          />
        </section>
        {hasStarted && (
          <div class="pair">
            <Failures campaign={campaign} actions={actions} />
            <Pace campaign={campaign} phone={phone} />
          </div>
        )}
        <People campaign={campaign} mayDownload={actions.mayChange} />
      </div>
      <aside class="stack">
        <Message campaign={campaign} />
        <Details campaign={campaign} phone={phone} />
      </aside>
    </div>
  );
}

/** The phone that it is sent from; null until it is known. */
function usePhone(phoneId: string | null): BusinessPhoneRecord | null {
  const key = ['phone', accountId.value ?? '', phoneId ?? ''];
  const read = async (signal: AbortSignal): Promise<BusinessPhoneRecord | null> =>
    phoneId === null ? null : readPhone(phoneId, signal);
  return useQuery(key, read).value.data ?? null;
}
