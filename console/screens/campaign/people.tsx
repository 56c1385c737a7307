import { useComputed, useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import type { FailureRecord, RecipientRecord } from '../../../clients/typescript/src/generated/schema.js';
import { accountId } from '../../data/account.js';
import { useQuery } from '../../data/query.js';
import { search } from '../../frame/router.js';
import { LoadFailed } from '../../parts/load-failed.js';
import { Paging } from '../../parts/paging.js';
import { Skeleton } from '../../parts/skeleton.js';
import { words } from '../../words/en.js';
import { downloadOf, PAGE_SIZE, readFailures, readPeople } from './campaign-api.js';
import type { Campaign, PeoplePage } from './campaign-types.js';
import { titleOf } from './failure-groups.js';
import { heldRows } from './held-rows.js';
import { PeopleControls } from './people-controls.js';
import { filterKey, filterOf, isFiltered } from './people-filter.js';
import { PEOPLE, PeopleLink } from './people-link.js';
import { PeopleRows } from './people-rows.js';
import { campaignKey } from './use-campaign.js';

interface PeopleProps {
  readonly campaign: Campaign;
  readonly mayDownload: boolean;
}

/** The people of a campaign. What is chosen is in the address, so that a link shows a colleague the same. */
export function People({ campaign, mayDownload }: PeopleProps) {
  const { people, parts } = words.campaign;
  const { campaign_id: id } = campaign;
  const filter = useComputed(() => filterOf(search.value)).value;
  const key = filterKey(filter);
  const result = useQuery([...campaignKey(id), 'people', key], (signal) => readPeople(id, filter, signal)).value;
  const failures = useQuery([...campaignKey(id), 'failures'], (signal) => readFailures(id, signal)).value.data ?? NONE;
  const isHeld = useSignal(false);
  const { page, rows, changed, showLatest } = useHeldPage(result.data, isHeld.value);
  const isWaiting = page?.key !== key;
  const failed = isWaiting ? result.error : null;
  const isEmpty = page !== null && page.total === 0 && !isWaiting;

  const table = useMemo(() => <PeopleRows rows={rows} />, [rows]);
  return (
    <section class="panel people" aria-labelledby={PEOPLE}>
      <header>
        <h2 id={PEOPLE} tabIndex={-1}>
          {people.title}
        </h2>
        {mayDownload && accountId.value !== null && (
          <a class="link last" href={downloadOf(id, accountId.value)} download>
            {people.download}
          </a>
        )}
      </header>
      <PeopleControls
        campaign={campaign}
        filter={filter}
        counts={page?.counts ?? null}
        reason={reasonOf(filter.errorCode, failures)}
      />
      {failed !== null && <LoadFailed what={parts.people} error={failed} retry={() => result.refetch()} />}
      {page === null && failed === null && <Skeleton rows={6} />}
      {isEmpty && (
        <p class="body dim sm">
          {isFiltered(filter) ? people.noMatch : people.none}{' '}
          {isFiltered(filter) && (
            <PeopleLink choice={{ search: null }} class="link">
              {people.clear}
            </PeopleLink>
          )}
        </p>
      )}
      {changed > 0 && (
        <p class="news">
          <button class="link" type="button" onClick={showLatest}>
            {people.changed(changed)}
          </button>
        </p>
      )}
      {page !== null && !isEmpty && failed === null && (
        <div
          class={isWaiting ? 'kept stale' : 'kept'}
          aria-busy={isWaiting}
          onPointerEnter={() => {
            isHeld.value = true;
          }}
          onPointerLeave={() => {
            isHeld.value = false;
          }}
        >
          {table}
        </div>
      )}
      {page !== null && failed === null && (
        <Paging page={filter.page} pageSize={PAGE_SIZE} total={page.total} label={people.title} />
      )}
    </section>
  );
}

const NONE: readonly FailureRecord[] = [];

const reasonOf = (code: number | null, failures: readonly FailureRecord[]): string | null => {
  if (code === null) return null;
  const known = failures.find(({ error_code }) => error_code === code);
  const title = titleOf(known ?? { error_code: code, title: words.campaign.people.statuses['failed'] ?? '' });
  return words.campaign.failures.withCode(title, code);
};

interface HeldPage {
  readonly page: PeoplePage | null;
  readonly rows: readonly RecipientRecord[];
  readonly changed: number;
  readonly showLatest: () => void;
}

/** The latest page; while somebody points at it, its rows stay where they are. */
function useHeldPage(latest: PeoplePage | undefined, isHeld: boolean): HeldPage {
  const shown = useRef<PeoplePage | null>(null);
  const accepted = useSignal(0);
  const isSame = shown.current !== null && latest !== undefined && shown.current.key === latest.key;
  if (latest !== undefined && !(isSame && isHeld)) shown.current = latest;
  // Reading it has the part drawn again.
  const version = accepted.value;
  const base = shown.current;
  const { rows, changed } = useMemo(
    () => heldRows(base?.recipients ?? [], (isSame ? latest : base)?.recipients ?? [], ({ contact_id }) => contact_id),
    [base, latest, version],
  );
  const showLatest = (): void => {
    shown.current = latest ?? null;
    accepted.value += 1;
  };
  return { page: isSame ? (latest ?? base) : base, rows, changed, showLatest };
}
