import { accountId } from '../../../data/account.js';
import { inboxOrder } from '../../../data/preferences.js';
import { useQuery } from '../../../data/query.js';
import { path, searchWith } from '../../../frame/router.js';
import { inboxListWords as words } from '../../../words/inbox-list.js';
import { countConversations } from './conversations-api.js';
import { type ConversationsFilter, elsewhereOf } from './conversations-filter.js';

interface LeftOutProps {
  readonly filter: ConversationsFilter;
  /** How many conversations the list has. */
  readonly found: number;
}

/** Below the last row. */
export function ListEnd(props: LeftOutProps) {
  return (
    <div class="list-end">
      <LeftOut {...props} />
    </div>
  );
}

/** What a list leaves out, with the way to it: who does not wait, and what other views have of a search. */
export function LeftOut({ filter, found }: LeftOutProps) {
  if (filter.search !== null) {
    return (
      <>
        {elsewhereOf(filter).map((other) => (
          <Elsewhere key={other.view} filter={other} known={other.holdsAll ? found : 0} />
        ))}
      </>
    );
  }
  if (filter.order !== 'longest_waiting') return null;
  return (
    <>
      <p>{words.leftOut.waiting}</p>
      <button
        class="btn sm"
        type="button"
        onClick={(event) => {
          toTitle(event);
          inboxOrder.value = 'last_inbound';
        }}
      >
        {words.leftOut.showAll}
      </button>
    </>
  );
}

/** @param known how many of those that the other view has are listed here */
function Elsewhere({ filter, known }: { filter: ConversationsFilter; known: number }) {
  const { view, phone, search } = filter;
  const key = ['conversations-elsewhere', accountId.value ?? '', view, phone ?? '', search ?? ''];
  const total = useQuery(key, (signal) => countConversations(filter, signal)).value.data ?? 0;
  if (total <= known) return null;
  return (
    <a class="link" href={path.value + searchWith({ view })} onClick={toTitle}>
      {words.elsewhere(total, words.views[view])}
    </a>
  );
}

/** What is pressed goes away with the list that it stands in. */
export const toTitle = ({ currentTarget }: { readonly currentTarget: Element }): void =>
  currentTarget.closest('.list')?.querySelector<HTMLElement>('.title')?.focus();
