import { accountId } from '../../../data/account.js';
import { useQuery } from '../../../data/query.js';
import { path, searchWith } from '../../../frame/router.js';
import { inboxListWords as words } from '../../../words/inbox-list.js';
import { hasAny } from './conversations-api.js';
import type { ConversationsFilter } from './conversations-filter.js';

/** In the place of a list without conversations. */
export function NothingHere({ filter }: { filter: ConversationsFilter }) {
  const anybody = useQuery(['conversations', accountId.value ?? '', 'any'], hasAny).value;
  if (filter.search !== null) {
    return (
      <div class="nothing-here">
        <p>{words.empty.search}</p>
        <a class="link" href={path.value + searchWith({ search: null })}>
          {words.empty.clear}
        </a>
      </div>
    );
  }
  // Until it is known, nothing is said that may be wrong.
  if (anybody.data === undefined && anybody.error === null) return null;
  return (
    <div class="nothing-here">
      <p>{anybody.data === false ? words.empty.never : sentenceOf(filter)}</p>
    </div>
  );
}

function sentenceOf({ view, order }: ConversationsFilter): string {
  const { empty } = words;
  if (order === 'longest_waiting') return view === 'mine' ? empty.mineWaiting : empty.waiting;
  return empty[view];
}
