import { UNLIMITED } from '../../accounts/business-account.entity.js';
import { inForce } from '../../accounts/restrictions.js';
import { findOpenWindows } from '../../conversations/conversation-key.queries.js';
import { lowestIdAt } from '../../database/schema/partitions.js';
import type { Tx } from '../../database/unit-of-work.js';
import { DAY, MINUTE, SECOND } from '../../values/clock.js';
import type { Campaign } from '../campaign.entity.js';
import { RECIPIENT_ZONES } from '../campaign.js';
import { type AdmissionPlan, type Allowance, admit, refusalsOf } from './admission-rules.js';
import { cancelUntouched } from './campaign-credits.queries.js';
import {
  type ClosedCampaign,
  cancelUnsent,
  findUnsentRecipients,
  isInFlight,
  lockClosedCampaign,
  NEVER,
  planRecipients,
  setOpening,
} from './campaign-opening.queries.js';
import { type CampaignStop, refusedForGood } from './campaign-stop.js';
import { findExemptContacts, lockPortfolio, readLimitUse } from './messaging-limit.queries.js';
import { type Opening, openingsOf } from './send-window-rules.js';

/** How soon to plan again when everybody waits who is not in flight, milliseconds. */
const RECHECK_IN_FLIGHT_MS = 5 * SECOND;
/** How often to read the messaging limit again while recipients wait for it, milliseconds. */
const RECHECK_LIMIT_MS = 5 * MINUTE;
/** The same while nobody has been reached yet: the first message tells when more becomes available. */
const RECHECK_UNUSED_LIMIT_MS = MINUTE;

/**
 * Plans when a closed campaign may send next and to whom. Does nothing when the campaign is open.
 *
 * Between `opens_at` and `closes_at` the campaign may send to recipients that are due. Claims compare both times
 * themselves, so a campaign closes on time even if no process is running at that moment; only its next opening may be
 * late.
 *
 * If recipients' time zones decide, the campaign closes as soon as the window closes for any of them. If the
 * portfolio's messaging limit is known, recipients are admitted here, under the portfolio's lock. Whom a restriction of
 * the network refuses waits until it ends. After the deadline, all unsent recipients are cancelled.
 *
 * @returns why the campaign cannot go on until somebody acts, in which case it stays closed; null: it can
 */
export async function planNextOpening(accountId: string, campaignId: string, tx: Tx): Promise<CampaignStop | null> {
  const closed = await lockClosedCampaign(accountId, campaignId, tx);
  if (closed === null) return null;
  const { at, status, paused, deadline, messagingLimit: knownLimit, restrictions: knownRestrictions } = closed;
  const known = { knownLimit, knownRestrictions };
  if (deadline !== null && deadline <= at) {
    await cancelUntouched(accountId, campaignId, tx);
    await cancelUnsent(accountId, campaignId, tx);
    // A running campaign stays closed: recipients that are in flight now may come back, and must be cancelled then.
    const closesAt = status === 'failed' ? null : deadline;
    const nobodyWaits = { opensAt: null, waitingUntil: null, waitingReason: null };
    await setOpening(accountId, campaignId, { ...nobodyWaits, closesAt, ...known }, tx);
    return null;
  }
  // If the portfolio is locked, don't wait: the sweep will try again.
  if (isLimited(closed) && !(await lockPortfolio(accountId, closed.portfolioId, tx))) return null;
  const { recipients, ...plan } = await planOf(accountId, campaignId, closed, tx);
  const allWait = recipients.length > 0 && recipients.every(({ dueAt }) => dueAt !== null);
  // Whoever is in flight may be put back for a retry, which should not wait with the others.
  const isLast = allWait && !(await isInFlight(accountId, campaignId, tx));
  if (plan.refusedForGood !== null && isLast && !paused) {
    return refusedForGood(closed, campaignId, plan.refusedForGood);
  }
  if (recipients.length > 0) await planRecipients(accountId, campaignId, recipients, tx);
  const soon = allWait && !isLast ? new Date(at.getTime() + RECHECK_IN_FLIGHT_MS) : null;
  const closesAt = earliestOf(plan.closesAt, soon, deadline);
  const opensAt = isLast ? (plan.waitingUntil ?? closesAt) : plan.opensAt;
  // Who would wait until after the deadline is cancelled then.
  const waitingUntil = deadline !== null && (plan.waitingUntil ?? NEVER) >= deadline ? null : plan.waitingUntil;
  const { waitingReason } = plan;
  await setOpening(accountId, campaignId, { opensAt, closesAt, waitingUntil, waitingReason, ...known }, tx);
  return null;
}

const earliestOf = (...times: readonly (Date | null)[]): Date | null =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);

/** How a campaign goes on. */
type OpeningPlan = AdmissionPlan & Pick<Campaign, 'opensAt'>;

async function planOf(accountId: string, campaignId: string, closed: ClosedCampaign, tx: Tx): Promise<OpeningPlan> {
  const { at, sendWindow, knownLimit, knownRestrictions, category } = closed;
  const openingAt = openingsOf(closed);
  const restrictions = refusalsOf(inForce(closed.restrictions ?? {}, at), category);
  const isBound = isLimited(closed) || restrictions.outside !== null || sendWindow?.timezone === RECIPIENT_ZONES;
  const wasLimited = knownLimit !== null && knownLimit !== UNLIMITED;
  const wasBound = wasLimited || Object.values(knownRestrictions ?? {}).some(({ isInForce }) => isInForce);
  if (!isBound && !wasBound) return sharedPlan(openingAt(null, at), at);
  const unsent = await findUnsentRecipients(accountId, campaignId, tx);
  const { allowance, exempt } = isLimited(closed) ? await allowanceOf(accountId, campaignId, closed, tx) : NO_LIMIT;
  const contactIds = unsent.map(({ contactId }) => contactId);
  const openWindows =
    restrictions.outside === restrictions.inWindows
      ? null
      : await findOpenWindows(accountId, closed.businessPhoneId, contactIds, tx);
  const waiting = unsent.map(({ contactId, phoneNumber, isTried }) => ({
    contactId,
    openingAt: (from: Date) => openingAt(phoneNumber, from),
    isExempt: isTried || exempt.has(contactId),
    windowEndsAt: openWindows?.get(contactId) ?? null,
  }));
  const plan = admit(waiting, { allowance, restrictions }, at);
  // Whoever is in flight may be put back. Until nobody can, it stays closed, so that they are planned first.
  const closesAt = isBound && unsent.length === 0 ? at : plan.closesAt;
  return { ...plan, opensAt: null, closesAt };
}

/** The plan of a campaign whose recipients all have the same opening. */
const sharedPlan = (opening: Opening | null, at: Date): OpeningPlan => {
  const opensAt = opening !== null && opening.opensAt > at ? opening.opensAt : null;
  return {
    recipients: [],
    opensAt,
    closesAt: opening?.closesAt ?? null,
    waitingUntil: opensAt,
    waitingReason: opensAt === null ? null : 'send_window',
    refusedForGood: null,
  };
};

interface LimitState {
  readonly allowance: Allowance | null;
  readonly exempt: ReadonlySet<string>;
}

const NO_LIMIT: LimitState = { allowance: null, exempt: new Set() };

/** How much of the portfolio's messaging limit is left for the campaign; the caller has locked the portfolio. */
async function allowanceOf(
  accountId: string,
  campaignId: string,
  { at, messagingLimit, portfolioId, businessPhoneId }: LimitedCampaign,
  tx: Tx,
): Promise<LimitState> {
  const days = [1, 2].map((days) => lowestIdAt(new Date(at.getTime() - days * DAY))) as [string, string];
  const use = await readLimitUse(accountId, { portfolioId, messagingLimit }, campaignId, days, tx);
  const exempt = await findExemptContacts(accountId, portfolioId, { id: campaignId, businessPhoneId }, days, tx);
  const inMs = (ms: number): Date => new Date(at.getTime() + ms);
  // Until somebody is reached, it counts from the messages that are about to be sent.
  const moreAt = new Date(Math.max((use.nextAt ?? at).getTime() + DAY, inMs(SECOND).getTime()));
  const recheckAt = inMs(use.nextAt === null ? RECHECK_UNUSED_LIMIT_MS : RECHECK_LIMIT_MS);
  return { allowance: { people: Math.max(0, messagingLimit - use.people), moreAt, recheckAt }, exempt };
}

type LimitedCampaign = ClosedCampaign & { readonly messagingLimit: number; readonly portfolioId: string };

const isLimited = (campaign: ClosedCampaign): campaign is LimitedCampaign =>
  campaign.messagingLimit !== null && campaign.messagingLimit !== UNLIMITED && campaign.portfolioId !== null;
