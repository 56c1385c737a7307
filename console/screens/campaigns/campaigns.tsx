import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { accountId } from '../../data/account.js';
import { isOffline } from '../../data/connection.js';
import { useLetters } from '../../frame/letters.js';
import { addressOf } from '../../frame/route-match.js';
import { search, searchWith, setSearch } from '../../frame/router.js';
import { LoadFailed } from '../../parts/load-failed.js';
import { Notice } from '../../parts/notice.js';
import { Paging } from '../../parts/paging.js';
import { SearchField } from '../../parts/search-field.js';
import { Skeleton } from '../../parts/skeleton.js';
import { Tabs } from '../../parts/tabs.js';
import { words } from '../../words/en.js';
import { AskDialog, type Question } from '../campaign/ask-dialog.js';
import type { Campaign } from '../campaign/campaign-api.js';
import { CampaignTable } from './campaign-table.js';
import { type CampaignCounts, PAGE_SIZE } from './campaigns-api.js';
import { type CampaignsFilter, changesFor, filterOf, MAX_SEARCH, STATUSES } from './campaigns-filter.js';
import { NoCampaigns } from './no-campaigns.js';
import { useCampaigns, type WatchedCampaigns } from './use-campaigns.js';
import { useRowActions } from './use-row-actions.js';

/** The campaigns of the account. */
export function Screen() {
  const filter = filterOf(search.value);
  const list = useCampaigns(filter);
  const input = useRef<HTMLInputElement>(null);
  const isFirst = useRef(true);
  const { title, search: said, keys } = words.campaigns;
  useLetters({ '/': { label: keys.search, press: () => input.current?.focus() } });
  useEffect(() => {
    // The links to other pages are at the end of this one.
    if (!isFirst.current) scrollTo(0, 0);
    isFirst.current = false;
  }, [filter.page]);
  const hasNone = list.counts !== undefined && filter.search === null && totalOf(list.counts) === 0;
  return (
    <>
      <header class="head">
        <h1 class="grow" tabIndex={-1}>
          {title}
        </h1>
      </header>
      {!hasNone && (
        <div class="campaigns-filter">
          <StatusTabs filter={filter} counts={list.counts} />
          <SearchField
            label={said.label}
            hint={said.hint}
            maxLength={MAX_SEARCH}
            value={filter.search ?? ''}
            input={input}
            onSearch={(text) => {
              // One step back undoes the whole search.
              setSearch(changesFor({ search: text.trim() || null }), { replace: filter.search !== null });
            }}
          />
        </div>
      )}
      <List filter={filter} list={list} hasNone={hasNone} />
    </>
  );
}

const totalOf = (counts: CampaignCounts): number => STATUSES.reduce((sum, status) => sum + counts[status], 0);

function StatusTabs({ filter, counts }: { filter: CampaignsFilter; counts: CampaignCounts | undefined }) {
  const { tabs } = words.campaigns;
  const base = addressOf(accountId.value, 'campaigns');
  const all = [null, ...STATUSES].map((status) => ({
    id: status ?? 'all',
    label: tabs[status ?? 'all'],
    count: counts && (status === null ? totalOf(counts) : counts[status]),
    href: base + searchWith(changesFor({ status })),
    isCurrent: filter.status === status,
  }));
  return <Tabs label={tabs.label} tabs={all} />;
}

interface ListProps {
  readonly filter: CampaignsFilter;
  readonly list: WatchedCampaigns;
  /** Whether there is no campaign at all. */
  readonly hasNone: boolean;
}

/** The page of campaigns, or what there is in its place. */
function List({ filter, list, hasNone }: ListProps) {
  const { rows, error, reload } = list;
  const { busy, outcome, run } = useRowActions(list);
  const asked = useSignal<{ readonly question: Question; readonly campaign: Campaign } | null>(null);
  const [place, pointsAt] = [useRef<HTMLElement>(null), useRef(false)];
  const { campaigns } = words;
  const look = (): void => list.hold(pointsAt.current || place.current?.contains(document.activeElement) === true);
  const point = ({ pointerType }: PointerEvent, isOver: boolean): void => {
    // A finger that is lifted points at nothing.
    pointsAt.current = isOver && pointerType !== 'touch';
    look();
  };
  const movesFocus = useRef(false);
  useLayoutEffect(() => {
    if (!movesFocus.current) return;
    // The button that had focus is gone.
    movesFocus.current = false;
    place.current?.querySelector<HTMLElement>('.name a')?.focus();
  });
  useEffect(() => {
    // Nobody points at what is gone.
    if (place.current === null) list.hold(false);
  });
  const failed = error !== null && !(isOffline.value && rows !== undefined) && (
    <LoadFailed what={campaigns.list} error={error} retry={reload} />
  );
  if (rows === undefined) return failed || <Skeleton rows={8} />;
  if (rows.length === 0) return failed || <NoCampaigns filter={filter} hasNone={hasNone} />;
  return (
    <section
      class="campaigns-list"
      ref={place}
      aria-label={campaigns.list}
      onPointerEnter={(event) => point(event, true)}
      onPointerLeave={(event) => point(event, false)}
      onFocusIn={look}
      // Where focus goes next is known only afterwards.
      onFocusOut={() => queueMicrotask(look)}
    >
      {failed}
      {outcome !== null && <Notice kind={outcome.isBad ? 'bad' : 'calm'}>{outcome.text}</Notice>}
      {list.fresh > 0 && (
        <button
          class="fresh"
          type="button"
          onClick={() => {
            movesFocus.current = true;
            list.showFresh();
          }}
        >
          {campaigns.fresh(list.fresh)}
        </button>
      )}
      <div class="panel">
        <CampaignTable
          rows={rows}
          busy={busy}
          choose={(campaign, choice) => {
            if (choice === 'pause') void run(campaign, choice);
            else asked.value = { question: choice, campaign };
          }}
        />
        <Paging page={filter.page} pageSize={PAGE_SIZE} total={list.total} label={campaigns.title} />
      </div>
      {asked.value !== null && (
        <AskDialog
          question={asked.value.question}
          campaign={asked.value.campaign}
          onConfirm={(action) => {
            const campaign = asked.value?.campaign;
            asked.value = null;
            if (campaign !== undefined) void run(campaign, action);
          }}
          onClose={() => {
            asked.value = null;
          }}
        />
      )}
    </section>
  );
}
