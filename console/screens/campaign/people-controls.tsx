import { useId, useRef } from 'preact/hooks';
import { useLetters } from '../../frame/letters.js';
import { search, setSearch } from '../../frame/router.js';
import { Icon } from '../../parts/icon.js';
import { SearchField } from '../../parts/search-field.js';
import { type Tab, Tabs } from '../../parts/tabs.js';
import { words } from '../../words/en.js';
import type { Campaign, PeoplePage } from './campaign-types.js';
import { ORDERS, type PeopleFilter } from './people-filter.js';
import { foundHref } from './people-link.js';

/** Characters of a search, as the API takes it. */
const MAX_SEARCH = 256;

interface PeopleControlsProps {
  readonly campaign: Campaign;
  readonly filter: PeopleFilter;
  readonly counts: PeoplePage['counts'];
  /** The reason whose people are shown, in words; null for none. */
  readonly reason: string | null;
}

/** Chooses which people are shown, and in which order. */
export function PeopleControls({ campaign, filter, counts, reason }: PeopleControlsProps) {
  const { people } = words.campaign;
  const input = useRef<HTMLInputElement>(null);
  useLetters({ '/': { label: words.campaign.keys.search, press: () => input.current?.focus() } });
  const seek = (text: string): void => {
    const before = search.peek().get('search');
    // One step back leads to before the search, not through its letters.
    setSearch({ search: text.trim() || null, page: null }, { replace: before !== null });
  };
  return (
    <div class="controls">
      <SearchField
        label={people.search}
        hint={people.searchHint}
        maxLength={MAX_SEARCH}
        value={filter.search ?? ''}
        onSearch={seek}
        input={input}
      />
      <OrderField order={filter.order} />
      <div class="choices-line">
        <Tabs label={people.filter} tabs={tabsOf(campaign, counts, filter)} />
        {reason !== null && (
          <span class="pill bad">
            <Icon name="alert" />
            {people.code(reason)}
          </span>
        )}
      </div>
    </div>
  );
}

function OrderField({ order }: { order: PeopleFilter['order'] }) {
  const { people } = words.campaign;
  const id = useId();
  return (
    <div class="in select">
      <label class="hide" for={id}>
        {people.order}
      </label>
      <select
        id={id}
        value={order ?? ''}
        onChange={({ currentTarget }) => setSearch({ order: currentTarget.value || null, page: null })}
      >
        <option value="">{people.orders.sending}</option>
        {ORDERS.map((one) => (
          <option key={one} value={one}>
            {people.orders[one]}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The filters, each with how many people it shows. With a search, only those who stand still are counted by the API. */
function tabsOf(campaign: Campaign, counts: PeoplePage['counts'], filter: PeopleFilter): Tab[] {
  const { filters } = words.campaign.people;
  const isSearch = filter.search !== null;
  const ofAll = (number: number): number | undefined => (isSearch ? undefined : number);
  const step = (reached: NonNullable<PeopleFilter['reached']>, number: number): Tab => ({
    id: reached,
    label: filters[reached],
    count: ofAll(number),
    href: foundHref({ reached }),
    isCurrent: filter.reached === reached,
  });
  const still = (status: NonNullable<PeopleFilter['status']>, number: number | undefined): Tab => ({
    id: status,
    label: filters[status],
    count: number,
    href: foundHref({ status }),
    isCurrent: filter.status === status,
  });
  const isAll = filter.reached === null && filter.status === null && filter.errorCode === null;
  const cancelled = counts?.cancelled ?? 0;
  return [
    { id: 'all', label: filters.all, count: ofAll(campaign.total_contacts), href: foundHref({}), isCurrent: isAll },
    still('pending', counts?.pending),
    step('sent', campaign.sent_count),
    step('delivered', campaign.delivered_count),
    step('read', campaign.read_count),
    step('clicked', campaign.clicked_count),
    step('replied', campaign.replied_count),
    still('failed', isSearch ? counts?.failed : campaign.failed_count),
    ...(cancelled > 0 || filter.status === 'cancelled' ? [still('cancelled', cancelled)] : []),
  ];
}
