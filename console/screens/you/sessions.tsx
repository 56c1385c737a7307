import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { failureOf, hasStatus } from '../../data/failure.js';
import { queries, useQuery } from '../../data/query.js';
import { endOtherSession, listSessions, type SessionRecord } from '../../data/session-api.js';
import { Button } from '../../parts/button.js';
import { LoadFailed } from '../../parts/load-failed.js';
import { Notice } from '../../parts/notice.js';
import { Skeleton } from '../../parts/skeleton.js';
import { Time } from '../../parts/time.js';
import { words } from '../../words/en.js';
import { partsOfDevice } from './device-name.js';

/** The key of the list. */
export const SESSIONS = ['sessions'];

/** Where the person is signed in; each place but this one can be signed out. */
export function Sessions() {
  const result = useQuery(SESSIONS, listSessions).value;
  const [ending, ended] = [useSignal<string | null>(null), useSignal<string | null>(null)];
  const failure = useSignal<string | null>(null);
  const list = useRef<HTMLUListElement>(null);

  const end = async (one: SessionRecord): Promise<void> => {
    ending.value = one.session_id;
    failure.value = null;
    try {
      // What has ended by itself is what was wanted.
      await endOtherSession(one.session_id).catch((error: unknown) => {
        if (!hasStatus(error, 404)) throw error;
      });
      queries.setQueryData<readonly SessionRecord[]>(SESSIONS, (all) =>
        all?.filter(({ session_id }) => session_id !== one.session_id),
      );
      ended.value = deviceOf(one);
      // The button that had focus is gone.
      list.current?.focus();
    } catch (error) {
      if (!hasStatus(error, 401)) failure.value = failureOf(error).text;
    } finally {
      ending.value = null;
    }
  };

  if (result.data === undefined) {
    if (result.error === null) return <Skeleton rows={2} />;
    return <LoadFailed what={words.states.sessions} error={result.error} retry={() => result.refetch()} />;
  }
  return (
    <>
      {failure.value !== null && <Notice kind="bad">{failure.value}</Notice>}
      {ended.value !== null && <Notice>{words.you.ended(ended.value)}</Notice>}
      <ul class="rows sm" ref={list} tabIndex={-1}>
        {result.data.map((one) => (
          <li key={one.session_id}>
            <div class="grow">
              <p class="strong" dir="auto">
                {deviceOf(one)}
              </p>
              <p class="faint xs num">
                {one.address !== null && (
                  <>
                    <bdi>{one.address}</bdi>
                    {' · '}
                  </>
                )}
                <Time at={one.created_at} text={words.you.since} />
                {' · '}
                <Time at={one.seen_at} text={words.you.seen} />
              </p>
            </div>
            {one.is_current ? (
              <span class="pill on">{words.you.thisOne}</span>
            ) : (
              <Button
                isSmall
                isBusy={ending.value === one.session_id}
                busyLabel={words.you.signingOut}
                name={words.you.endOf(deviceOf(one))}
                onPress={() => void end(one)}
              >
                {words.you.end}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** “Firefox on Linux”; for other programs what they say themselves. */
function deviceOf({ device }: SessionRecord): string {
  if (device === null || device === '') return words.you.unknownDevice;
  const parts = partsOfDevice(device);
  if (parts === null) return device;
  const { browser, system } = parts;
  return browser !== null && system !== null ? words.you.device(browser, system) : (browser ?? system ?? device);
}
