import { useRef } from 'preact/hooks';
import type { InboxOrder } from '../../../data/inbox-order.js';
import { inboxOrder } from '../../../data/preferences.js';
import { useLetters } from '../../../frame/letters.js';
import { setSearch } from '../../../frame/router.js';
import { Icon } from '../../../parts/icon.js';
import { Menu } from '../../../parts/menu.js';
import { SearchField } from '../../../parts/search-field.js';
import { inboxListWords as words } from '../../../words/inbox-list.js';
import { usePhones } from '../business-phones.js';
import { NewConversationButton } from '../handling/new-conversation-button.js';
import { type ConversationsFilter, isOrdered, MAX_SEARCH } from './conversations-filter.js';
import { readableNumber } from './readable-number.js';
import { ViewTabs } from './view-tabs.js';

const ORDERS: readonly InboxOrder[] = ['last_inbound', 'longest_waiting'];

interface ListHeaderProps {
  readonly filter: ConversationsFilter;
  /** Whether no thread is open, so that the list is what the page is about. */
  readonly isAlone: boolean;
}

/** What is listed, in which order, and the search. */
export function ListHeader({ filter, isAlone }: ListHeaderProps) {
  const input = useRef<HTMLInputElement>(null);
  useLetters({ '/': { label: words.keys.search, press: () => input.current?.focus() } });
  const Title = isAlone ? 'h1' : 'h2';
  return (
    <header>
      <div class="head-line">
        <Title class="title" tabIndex={-1}>
          {words.title}
        </Title>
        <div class="head-actions">
          {isOrdered(filter) && <OrderMenu />}
          <NewConversationButton isShort />
        </div>
      </div>
      <SearchField
        label={words.search.label}
        hint={words.search.hint}
        maxLength={MAX_SEARCH}
        value={filter.search ?? ''}
        input={input}
        onSearch={(text) => {
          // One step back undoes the whole search.
          setSearch({ search: text.trim() || null }, { replace: filter.search !== null });
        }}
      />
      <ViewTabs filter={filter} />
      <PhoneMenu chosen={filter.phone} />
    </header>
  );
}

function OrderMenu() {
  return (
    <Menu
      class="btn quiet sm"
      label={words.order.label(words.order[inboxOrder.value])}
      isAtEnd
      items={ORDERS.map((order) => ({
        id: order,
        label: words.order[order],
        isChosen: inboxOrder.value === order,
        choose: () => {
          inboxOrder.value = order;
        },
      }))}
    >
      {words.order[inboxOrder.value]}
      <Icon name="down" />
    </Menu>
  );
}

/** Which business phone’s conversations are listed; nothing where there is only one. */
function PhoneMenu({ chosen }: { chosen: string | null }) {
  // The list is whole without the filter.
  const phones = usePhones().value.data ?? [];
  if (phones.length < 2) return null;
  const numberOf = (id: string | null): string => {
    const phone = phones.find(({ waba_phone_id }) => waba_phone_id === id);
    return phone === undefined ? words.phones.all : readableNumber(phone.phone);
  };
  return (
    <Menu
      class="btn quiet sm"
      label={words.phones.label(numberOf(chosen))}
      items={[null, ...phones.map(({ waba_phone_id }) => waba_phone_id)].map((id) => ({
        id: id ?? 'all',
        label: numberOf(id),
        isChosen: id === chosen,
        choose: () => setSearch({ waba_phone_id: id }),
      }))}
    >
      <bdi class="num">{numberOf(chosen)}</bdi>
      <Icon name="down" />
    </Menu>
  );
}
