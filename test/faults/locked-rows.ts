import type { ForeignSession } from '../support/foreign-session.js';
import { uniquePhone } from '../support/test-account.js';
import { until } from '../support/until.js';
import { activityOf, Books } from './books.js';
import { type FaultAccount, type FaultCampaign, FaultStack } from './fault-stack.js';
import { sayFigures } from './figures.js';
import { pause } from './pause.js';
import { type People, Traffic } from './traffic.js';
import { badAnswers, heldUp, notHealed, unanswered } from './verdict.js';

const LOCKED_MS = 8000;
const QUIET_MS = 4000;
/** How long the service is observed after the locks are released, milliseconds. */
const WATCHED_MS = 10_000;
/** Messages per second of the phone with the locked row. */
const THROUGHPUT = 50;
const RECIPIENTS = 400;
const ACCEPTED_BEFORE = 40;

/**
 * Rows that a foreign session may lock, in Parley's lock order: a transaction that waits for one of them holds none of
 * the later ones.
 */
export const LOCKS = ['contact', 'conversation', 'campaign', 'account', 'phone throughput', 'rate limit'] as const;
export type Lock = (typeof LOCKS)[number];

/** The account whose rows are locked. */
interface Victim {
  readonly account: FaultAccount;
  readonly campaign: FaultCampaign;
  /** Phone number of the contact in half of the traffic. */
  readonly contact: string;
}

/**
 * Locks rows of one account for some seconds while it has a campaign and other traffic, next to another account with
 * traffic.
 *
 * @returns what went wrong
 */
export async function lockRows(locks: readonly Lock[]): Promise<string[]> {
  const stack = await FaultStack.start();
  try {
    const service = await stack.mainService();
    const contact = uniquePhone();
    const people = halfWith(contact);
    const locked = await Traffic.prepare(stack, service, await stack.account(service, { throughput: THROUGHPUT }), {
      reports: 80,
      people,
    });
    const other = await Traffic.prepare(stack, service, await stack.account(service), { reports: 200 });
    const quietFrom = Math.max(locked.start({ sends: 4, reports: 4, inbound: 3, reads: 2, probes: 0 }), other.start());
    await pause(QUIET_MS);
    const quiet = other.since(quietFrom);
    sayFigures('quiet', quiet);

    const campaign = await stack.campaign(locked.account, RECIPIENTS);
    const accepted = async () =>
      (await stack.simulator.ledger(locked.account.phone.phoneNumberId)).filter(({ to }) =>
        campaign.phones.includes(to),
      );
    await until('the campaign is running', async () => (await accepted()).length >= ACCEPTED_BEFORE);
    const lockedAt = Date.now();
    const sessions: ForeignSession[] = [];
    for (const _ of locks) sessions.push(await stack.foreignSession());
    for (const [place, lock] of locks.entries()) {
      const session = sessions[place] as ForeignSession;
      await lockRow(session, lock, { account: locked.account, campaign, contact });
    }
    await pause(LOCKED_MS);
    const held = await unanswered(lockedAt, () => other.since(lockedAt));
    for (const session of sessions) await session.release();
    const releasedAt = Date.now();
    await pause(WATCHED_MS);
    const unhealed = await unanswered(releasedAt, () => locked.since(lockedAt));
    await Promise.all([locked.stop(), other.stop()]);

    sayFigures(`the account with the locked rows: ${locks.join(', ')}`, locked.since(lockedAt));
    sayFigures('the other account', other.since(lockedAt));
    const found = [
      ...held.map((what) => `the other account, while rows were locked: ${what}`),
      ...unhealed,
      ...badAnswers(other.since(lockedAt), { refusals: false }).map((what) => `the other account: ${what}`),
      ...heldUp(quiet, other.since(lockedAt)).map((what) => `the other account: ${what}`),
      ...badAnswers(locked.since(lockedAt), { refusals: true }),
      ...notHealed(locked.since(lockedAt), releasedAt),
    ];
    await Promise.all([locked.reportTheRest(), other.reportTheRest()]);
    return [...found, ...(await new Books(stack).findings(activityOf(locked, [campaign]), activityOf(other)))];
  } finally {
    await stack.stop();
  }
}

/** Half of the sends go to `contact`, and half of the inbound messages come from them. */
function halfWith(contact: string): People {
  let turn = 0;
  const next = () => {
    turn += 1;
    return turn % 2 === 0 ? contact : uniquePhone();
  };
  return { recipient: next, writer: next };
}

function lockRow(session: ForeignSession, lock: Lock, { account, campaign, contact }: Victim): Promise<void> {
  const { accountId } = account;
  switch (lock) {
    case 'campaign':
      return session.lock('campaigns', 'account_id = $1 AND id = $2', [accountId, campaign.id]);
    case 'account':
      return session.lock('accounts', 'id = $1', [accountId]);
    case 'contact':
      return session.lock('contacts', 'account_id = $1 AND phone_number = $2', [accountId, contact]);
    case 'conversation':
      return session.lock(
        'conversations',
        'account_id = $1 AND contact_id = (SELECT id FROM contacts WHERE account_id = $1 AND phone_number = $2)',
        [accountId, contact],
      );
    case 'phone throughput':
      return session.lock('phone_throughput', 'account_id = $1', [accountId]);
    case 'rate limit':
      return session.lock('rate_limit_windows', `subject LIKE '%' || $1::text || '%'`, [account.keyId]);
  }
}
