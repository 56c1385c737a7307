import { type Signal, useSignal } from '@preact/signals';
import { accountId } from '../../../data/account.js';
import { isOffline } from '../../../data/connection.js';
import { failureOf } from '../../../data/failure.js';
import { queries } from '../../../data/query.js';
import { session } from '../../../data/session.js';
import { addressOf, parseAddress } from '../../../frame/route-match.js';
import { navigate, path, searchWith } from '../../../frame/router.js';
import { say } from '../../../frame/said.js';
import { inboxWorkWords } from '../../../words/inbox-work.js';
import type { OpenThread } from '../open-thread.js';
import { personName } from '../person-name.js';
import type { Conversation } from '../records.js';
import { type ThreadKey, threadAddress } from '../thread-key.js';
import { nextOpen, noteOpen, noteResolved } from './next-open.js';
import { type Held, heldOf, type Outcome, outcomeOf } from './outcome.js';
import { SecondPress } from './second-press.js';
import { type Agent, assign, release, reopen, resolve, unresolve } from './work-api.js';

/** What somebody can do with a thread. Each returns whether it took effect. */
export interface Work {
  readonly isBusy: boolean;
  readonly outcome: Signal<Outcome | null>;
  /** Takes it, from a colleague too. */
  readonly take: () => Promise<boolean>;
  readonly assignTo: (agent: Agent, note?: string | null) => Promise<boolean>;
  readonly release: () => Promise<boolean>;
  /** Resolves it, and shows the next one of the list. */
  readonly resolve: () => Promise<void>;
  readonly reopen: () => Promise<void>;
}

/** Since a resolved thread last gave way to the next one. */
const second = new SecondPress();
for (const kind of ['pointermove', 'pointerdown'] as const) addEventListener(kind, (event) => second.pointsAt(event));

/** Puts focus on the heading if what had it is gone. */
function keepFocus(): void {
  if (document.activeElement === document.body) document.getElementById('who')?.focus({ preventScroll: true });
}

/** The actions on a thread: shown at once, and taken back with the reason when they are refused. */
export function useWork(thread: OpenThread): Work {
  const isBusy = useSignal(false);
  const outcome = useSignal<Outcome | null>(null);

  const run = async (changes: Partial<Held>, call: () => Promise<unknown>): Promise<boolean> => {
    const known = thread.conversation.peek();
    if (known === undefined || isBusy.peek() || isOffline.peek()) return false;
    const before = heldOf(known);
    const wanted = { ...before, ...changes };
    isBusy.value = true;
    outcome.value = null;
    thread.take(wanted);
    try {
      await call();
      thread.take(wanted);
      return true;
    } catch (error) {
      thread.take(before);
      await thread.reload();
      outcome.value = outcomeOf(error, wanted, before, thread.conversation.peek());
      return outcome.value === null && isSame(thread.conversation.peek(), wanted);
    } finally {
      isBusy.value = false;
      // Once the new state is drawn.
      setTimeout(keepFocus);
    }
  };

  const assignTo = (agent: Agent, note: string | null = null): Promise<boolean> => {
    const onlyIfUnassigned = thread.conversation.peek()?.assigned_to === null;
    const changes = { assigned_to: agent.user_id, assigned_to_name: agent.full_name };
    return run(changes, () => assign(thread.key, { agent, note, onlyIfUnassigned }));
  };

  return {
    isBusy: isBusy.value,
    outcome,
    assignTo,
    take: async () => {
      const me = session.peek()?.user;
      return me === undefined ? false : assignTo(me);
    },
    release: () => run({ assigned_to: null, assigned_to_name: null }, () => release(thread.key)),
    resolve: async () => {
      if (second.isMeantForBefore(performance.now())) return;
      // The list may drop the row before the answer comes.
      const next = nextOpen(thread.key);
      const [address, query] = [path.peek(), searchWith({})];
      const known = thread.conversation.peek();
      const name = nameOf(known);
      if (!(await run({ status: 'resolved' }, () => resolve(thread.key)))) return;
      noteResolved(thread.key);
      const { said } = inboxWorkWords;
      const isElsewhere = path.peek() !== address;
      say(next === null && !isElsewhere ? said.resolvedLast(name) : said.resolved(name), () =>
        undo(thread.key, known?.assigned_to ?? null, name, address + query),
      );
      if (isElsewhere) return;
      second.wentOn(performance.now());
      navigate((next === null ? addressOf(accountId.peek(), 'inbox') : threadAddress(next)) + searchWith({}));
    },
    reopen: async () => {
      const me = session.peek()?.user;
      const changes = {
        status: 'open',
        assigned_to: me?.user_id ?? null,
        assigned_to_name: me?.full_name ?? null,
      } as const;
      if (await run(changes, () => reopen(thread.key))) noteOpen(thread.key);
    },
  };
}

/** Opens a conversation again that was resolved, and shows it. */
async function undo(key: ThreadKey, holder: string | null, name: string, address: string): Promise<void> {
  const { said } = inboxWorkWords;
  // Requests name the account that is shown.
  if (accountId.peek() !== parseAddress(address).accountId) {
    navigate(address);
    return;
  }
  try {
    await unresolve(key, holder);
    noteOpen(key);
    say(said.reopened(name));
  } catch (error) {
    say(said.notReopened(name, failureOf(error).text));
  }
  void queries.invalidateQueries();
  navigate(address);
}

const nameOf = (conversation: Conversation | undefined): string =>
  conversation === undefined ? '' : personName(conversation);

const isSame = (now: Held | undefined, wanted: Held): boolean =>
  now?.status === wanted.status && now.assigned_to === wanted.assigned_to;
