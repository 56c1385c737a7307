import { accountId } from '../../../data/account.js';
import { useQuery } from '../../../data/query.js';
import { path, searchWith } from '../../../frame/router.js';
import { inboxListWords as words } from '../../../words/inbox-list.js';
import { hasAny } from './conversations-api.js';
import type { ConversationsFilter } from './conversations-filter.js';
import { LeftOut, toTitle } from './list-end.js';
import { useCount } from './view-tabs.js';

/** In the place of a list without conversations. */
export function NothingHere({ filter }: { filter: ConversationsFilter }) {
  return filter.search === null ? <NoneHere filter={filter} /> : <NothingFound filter={filter} />;
}

function NothingFound({ filter }: { filter: ConversationsFilter }) {
  return (
    <div class="nothing-here">
      <p>{words.empty.search(words.views[filter.view])}</p>
      <p>{words.empty.searched}</p>
      <LeftOut filter={filter} found={0} />
      <a class="link" href={path.value + searchWith({ search: null })} onClick={toTitle}>
        {words.empty.clear}
      </a>
    </div>
  );
}

function NoneHere({ filter }: { filter: ConversationsFilter }) {
  const anybody = useQuery(['conversations', accountId.value ?? '', 'any'], hasAny).value;
  // Until it is known, nothing is said that may be wrong.
  if (anybody.data === undefined && anybody.error === null) return null;
  return (
    <div class="nothing-here">
      <p>{anybody.data === false ? words.empty.never : sentenceOf(filter)}</p>
      {anybody.data !== false && (
        <>
          {filter.view === 'mine' && <Unassigned filter={filter} />}
          <LeftOut filter={filter} found={0} />
        </>
      )}
    </div>
  );
}

/** The way to those whom nobody has, for people who have nobody. */
function Unassigned({ filter }: { filter: ConversationsFilter }) {
  const number = useCount({ ...filter, view: 'unassigned' });
  if (number === undefined) return null;
  if (number === 0) return <p>{words.empty.mineHint}</p>;
  return (
    <a class="link" href={path.value + searchWith({ view: 'unassigned' })} onClick={toTitle}>
      {words.empty.toUnassigned(number)}
    </a>
  );
}

function sentenceOf({ view, order }: ConversationsFilter): string {
  const { empty } = words;
  return order === 'longest_waiting' && view !== 'mine' ? empty.waiting : empty[view];
}
