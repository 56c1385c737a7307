import { useEffect } from 'preact/hooks';
import { isPolled, serverNow, useTopic } from '../data/live.js';
import { notifies, sounds } from '../data/preferences.js';
import { useQuery } from '../data/query.js';
import { counted, inboxWorkWords } from '../words/inbox-work.js';
import { readWaiting, type Waiting, waiting } from './waiting.js';

const TOPIC = 'badges';

const loadNews = () => import('./news.js');

/** Follows how many people wait in the account. Use it under a key of the account, where the role may see conversations. */
export function WaitingWatch({ account }: { account: string }) {
  const hear = (now: Waiting): void => {
    const before = waiting.peek();
    waiting.value = now;
    const isChanged = before?.waiting !== now.waiting || before.mine_waiting !== now.mine_waiting;
    if (isChanged && document.hidden && isWanted()) void loadNews().then(({ tell }) => tell(account));
  };
  useTopic<Waiting>(TOPIC, hear);
  useEffect(() => {
    // What waited before the page was left is no news.
    const look = (): void => {
      const leftAt = serverNow();
      if (document.hidden && isWanted()) void loadNews().then(({ begin }) => begin(leftAt));
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      waiting.value = null;
    };
  }, []);
  return isPolled(TOPIC) ? <WaitingRead account={account} onRead={hear} /> : null;
}

interface WaitingReadProps {
  readonly account: string;
  readonly onRead: (now: Waiting) => void;
}

/** Reads what the stream does not tell. What was read before another break is old, and said to nobody. */
function WaitingRead({ account, onRead }: WaitingReadProps) {
  useQuery(['waiting', account], async (signal) => {
    const now = await readWaiting(signal);
    if (!signal.aborted) onRead(now);
    return now;
  });
  return null;
}

const isWanted = (): boolean => notifies.peek() || sounds.peek();

/** The number of people who wait, beside the name of a screen. */
export function WaitingBadge() {
  const { waiting: all = 0, mine_waiting: mine = 0 } = waiting.value ?? {};
  if (all === 0) return null;
  return (
    <>
      <span class="count num" aria-hidden="true">
        {counted(all)}
      </span>
      <span class="hide">{inboxWorkWords.waiting(all, mine)}</span>
    </>
  );
}
