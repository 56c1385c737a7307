import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { BusinessPhoneRecord } from '../../../clients/typescript/src/generated/schema.js';
import { useQuery } from '../../data/query.js';
import { Icon, type IconName } from '../../parts/icon.js';
import { LoadFailed } from '../../parts/load-failed.js';
import { PaceChart } from '../../parts/pace-chart.js';
import { Skeleton } from '../../parts/skeleton.js';
import { words } from '../../words/en.js';
import { count, decimal } from '../../words/numbers.js';
import { readProgress } from './campaign-api.js';
import type { Campaign } from './campaign-types.js';
import { type Measured, measuredPace } from './measured-pace.js';
import { PeopleLink } from './people-link.js';
import { secondOf } from './second-of.js';
import { campaignKey } from './use-campaign.js';

interface PaceProps {
  readonly campaign: Campaign;
  readonly phone: BusinessPhoneRecord | null;
}

/** How fast the phone sent, and why people wait. */
export function Pace({ campaign, phone }: PaceProps) {
  const id = useId();
  const { pace, parts } = words.campaign;
  const { campaign_id, campaign_status, paused, rate_per_second: rate } = campaign;
  const result = useQuery([...campaignKey(campaign_id), 'progress'], (signal) =>
    readProgress(campaign_id, signal),
  ).value;
  const limit = phone !== null && phone.throughput > 0 ? phone.throughput : null;
  const isGoing = campaign_status === 'running' && !paused;
  const measured = result.data === undefined ? null : measuredPace(result.data, campaign_status === 'running');
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{pace.title}</h2>
        <span class="faint xs num last">{inShort(isGoing ? rate : null, limit, measured)}</span>
      </header>
      {measured === null ? (
        result.error === null ? (
          <Skeleton />
        ) : (
          <LoadFailed what={parts.pace} error={result.error} retry={() => result.refetch()} />
        )
      ) : measured.rows.length === 0 ? (
        <p class="body dim sm">{pace.none}</p>
      ) : (
        <Measurements measured={measured} limit={limit} />
      )}
      <Waits campaign={campaign} />
    </section>
  );
}

/** How fast it goes, or went. */
function inShort(rate: number | null, limit: number | null, measured: Measured | null): string | null {
  const { pace } = words.campaign;
  if (rate !== null) return limit === null ? pace.now(rate) : pace.nowOf(rate, limit);
  if (measured !== null && measured.most > 0) return pace.figures(measured.typical, measured.most);
  return limit === null ? null : pace.limit(limit);
}

function Measurements({ measured, limit }: { measured: Measured; limit: number | null }) {
  const isTable = useSignal(false);
  const { pace } = words.campaign;
  const { rows, from, to, typical, most } = measured;
  const end = measured.isOpen ? pace.end : secondOf(to);
  return (
    <div class="body">
      <PaceChart
        values={rows.map(({ rate }) => rate)}
        limit={limit}
        label={`${pace.sentence(secondOf(from), end)}: ${pace.figures(typical, most)}`}
        from={secondOf(from)}
        to={end}
      />
      <details
        class="numbers"
        onToggle={({ currentTarget }) => {
          isTable.value = currentTarget.open;
        }}
      >
        <summary class="link">{pace.table}</summary>
        {isTable.value && (
          <table class="data">
            <thead>
              <tr>
                <th scope="col">{pace.at}</th>
                <th scope="col" class="right">
                  {pace.accepted}
                </th>
                <th scope="col" class="right">
                  {pace.each}
                </th>
              </tr>
            </thead>
            <tbody class="num">
              {rows.map(({ at, accepted, rate }) => (
                <tr key={at}>
                  <td>{secondOf(at)}</td>
                  <td class="right">{count(accepted)}</td>
                  <td class="right">{decimal(rate)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </details>
    </div>
  );
}

/** Why people wait, and what came back. */
function Waits({ campaign }: { campaign: Campaign }) {
  const { pace, failures } = words.campaign;
  const { waiting_reason, waiting_until, held_count, replied_count } = campaign;
  const why = waiting_reason === null ? null : (pace.waits[waiting_reason] ?? words.campaign.progress.waiting);
  const until = waiting_until === null ? null : words.when(waiting_until, new Date());
  if (why === null && held_count === 0 && replied_count === 0) return null;
  return (
    <ul class="rows sm">
      {why !== null && <Fact icon="clock">{until === null ? why : pace.until(why, until)}</Fact>}
      {held_count > 0 && <Fact icon="pause">{pace.held(held_count)}</Fact>}
      {replied_count > 0 && (
        <Fact
          icon="reply"
          more={
            <PeopleLink
              choice={{ reached: 'replied' }}
              class="link"
              name={`${failures.show}: ${pace.replied(replied_count)}`}
            >
              {failures.show}
            </PeopleLink>
          }
        >
          {pace.replied(replied_count)}
        </Fact>
      )}
    </ul>
  );
}

interface FactProps {
  readonly icon: IconName;
  readonly children: string;
  readonly more?: preact.ComponentChildren;
}

function Fact({ icon, children, more }: FactProps) {
  return (
    <li>
      <span class="faint">
        <Icon name={icon} />
      </span>
      <span class="grow">{children}</span>
      {more}
    </li>
  );
}
