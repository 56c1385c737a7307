import { parley } from '../data/api.js';
import { notifies, sounds } from '../data/preferences.js';
import { session } from '../data/session.js';
import { inboxWorkWords } from '../words/inbox-work.js';
import { chime } from './chime.js';
import { addressOf } from './route-match.js';
import { navigate } from './router.js';

/** How many of those who wrote last are looked at. */
const LOOKED_AT = 50;
const MS_PER_SECOND = 1000;
/** Notifications with the same name take each other’s place. */
const TAG = 'parley-waiting';

/** Whom somebody who left the page knows to wait; null before that was read. */
let known: ReadonlySet<string> | null = null;
let shown: Notification | null = null;
/** Requests, one after the other. */
let turn: Promise<unknown> = Promise.resolve();
/** How many are new since the page was left. */
let fresh = 0;

/** Notes who waits as somebody leaves the page. Whatever is shown of earlier times stays. */
export function begin(at: Date): void {
  known = null;
  fresh = 0;
  // Who writes a moment after that may be in the answer too; the network's times are whole seconds.
  const leftAt = at.getTime() - MS_PER_SECOND;
  inTurn(async () => {
    const waiting = await waitingNow();
    known = new Set([...waiting].filter(([, since]) => since < leftAt).map(([one]) => one));
  });
}

/** Says that people wait who did not when the page was left: those of the person, and those whom nobody has. */
export function tell(account: string): void {
  inTurn(async () => {
    const now = await waitingNow();
    const before = known;
    known = new Set(now.keys());
    const added = before === null ? 0 : [...now.keys()].filter((one) => !before.has(one)).length;
    if (added === 0 || !document.hidden) return;
    fresh += added;
    if (sounds.peek()) chime();
    if (notifies.peek()) notify(account);
  });
}

/** Goes on when one request fails: nobody waits for it, and the next change asks again. */
function inTurn(work: () => Promise<void>): void {
  turn = turn.then(work).catch(() => undefined);
}

/** Who waits, each with since when in milliseconds since 1970. */
async function waitingNow(): Promise<ReadonlyMap<string, number>> {
  const me = session.peek()?.user.user_id;
  const query = { waiting: 'true', has_inbound: 'true', order: 'last_inbound', limit: LOOKED_AT } as const;
  const { conversations } = await parley.conversations.list(query);
  const own = conversations.filter(({ assigned_to }) => assigned_to === null || assigned_to === me);
  return new Map(
    own.map(({ contact_id, waba_phone_id, waiting_since }) => [
      [contact_id, waba_phone_id, waiting_since].join(' '),
      waiting_since === null ? 0 : new Date(waiting_since).getTime(),
    ]),
  );
}

function notify(account: string): void {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const name = session.peek()?.accounts.find(({ account_id }) => account_id === account)?.name ?? '';
  shown?.close();
  const notification = new Notification(inboxWorkWords.notification.title(fresh), { body: name, tag: TAG });
  notification.onclick = () => {
    window.focus();
    navigate(addressOf(account, 'inbox'));
    notification.close();
  };
  shown = notification;
}
