import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { accountId } from '../../../data/account.js';
import { useQuery } from '../../../data/query.js';
import { addressOf } from '../../../frame/route-match.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { Time } from '../../../parts/time.js';
import { inboxPersonWords } from '../../../words/inbox-person.js';
import { contactKey, FIRST_CAMPAIGNS, readCampaigns } from './person-data.js';

const words = inboxPersonWords.elsewhere;

/** The campaigns that a person is in: the newest, and all on demand. */
export function Campaigns({ contactId }: { contactId: string }) {
  const isEvery = useSignal(false);
  const list = useRef<HTMLUListElement>(null);
  const read = (every: boolean) => (signal: AbortSignal) => readCampaigns(contactId, every, signal);
  const key = [...contactKey(contactId), 'campaigns'];
  const first = useQuery(key, read(false)).value;
  const every = useQuery([...key, isEvery.value ? 'every' : 'first'], (signal) => {
    return isEvery.value ? read(true)(signal) : Promise.resolve(null);
  }).value;
  const data = every.data ?? first.data;
  const error = isEvery.value ? every.error : first.error;
  useEffect(() => {
    // The button that asked for them is gone; the list goes on below what was there.
    if (every.data !== null && every.data !== undefined) {
      list.current?.querySelectorAll<HTMLElement>('a')[FIRST_CAMPAIGNS]?.focus();
    }
  }, [every.data !== null && every.data !== undefined]);
  if (data === undefined && error === null) return null;
  return (
    <section>
      <h2>{words.campaigns}</h2>
      {data !== undefined && data.total === 0 && <p class="faint sm">{words.noCampaigns}</p>}
      {data !== undefined && data.total > 0 && (
        <ul ref={list} class="past sm num">
          {data.campaigns.map(({ campaign_id, name, started_at, created_at }) => (
            <li key={campaign_id}>
              <a class="link" href={addressOf(accountId.value, `campaigns/${campaign_id}`)} dir="auto">
                {name}
              </a>
              <span class="faint xs">
                <Time at={started_at ?? created_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {data !== undefined && !isEvery.value && data.total > data.campaigns.length && (
        <p>
          <button
            class="link"
            type="button"
            onClick={() => {
              isEvery.value = true;
            }}
          >
            {words.all(data.total)}
          </button>
        </p>
      )}
      {isEvery.value && data !== undefined && data.total > data.campaigns.length && every.data !== undefined && (
        <p class="faint xs">{words.newest(data.campaigns.length, data.total)}</p>
      )}
      {error !== null && (
        <LoadFailed
          what={words.campaignsPart}
          error={error}
          retry={() => (isEvery.value ? every.refetch() : first.refetch())}
        />
      )}
    </section>
  );
}
