import { UNLIMITED } from '../../accounts/business-account.entity.js';
import { lowestIdAt } from '../../database/schema/partitions.js';
import type { Tx } from '../../database/unit-of-work.js';
import { DAY, MINUTE } from '../../values/clock.js';
import { zonesOfNumber } from '../../values/number-zones.js';
import { refundUntouched } from '../lifecycle/campaign-credits.queries.js';
import { type AdmissionPlan, type Allowance, admit } from './admission-rules.js';
import {
  type ClosedCampaign,
  cancelUnsent,
  findUnsentRecipients,
  lockClosedCampaign,
  planRecipients,
  setOpening,
  type UnsentRecipient,
} from './campaign-opening.queries.js';
import { findExemptContacts, lockPortfolio, readLimitUse } from './messaging-limit.queries.js';
import { type Opening, openingsAt, RECIPIENT_ZONES } from './send-window-rules.js';

/** When to recheck a limit that other campaigns' pending recipients have used up, milliseconds. */
const RECHECK_MS = MINUTE;

/**
 * Plans when a closed campaign may send next and to whom. Does nothing when the campaign is open.
 *
 * Between `opens_at` and `closes_at` the campaign may send to recipients that are due. Claims compare both times
 * themselves, so a campaign closes on time even if no process is running at that moment; only its next opening may be
 * late.
 *
 * If recipients' time zones decide, the campaign closes as soon as the window closes for any of them. If the
 * portfolio's messaging limit is known, recipients are admitted here, under the portfolio's lock. After the deadline,
 * all unsent recipients are cancelled.
 */
export async function planNextOpening(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  const closed = await lockClosedCampaign(accountId, campaignId, tx);
  if (closed === null) return;
  const { at, status, sendBefore, messagingLimit: knownLimit } = closed;
  if (sendBefore !== null && sendBefore <= at) {
    await refundUntouched(accountId, campaignId, 'cancelled', tx);
    await cancelUnsent(accountId, campaignId, tx);
    // A running campaign stays closed: recipients that are in flight now may come back, and must be cancelled then.
    const closesAt = status === 'failed' ? null : sendBefore;
    await setOpening(accountId, campaignId, { opensAt: null, closesAt, waitingUntil: null, knownLimit }, tx);
    return;
  }
  // If the portfolio is locked, don't wait: the sweep will try again.
  if (isLimited(closed) && !(await lockPortfolio(accountId, closed.portfolioId, tx))) return;
  const { opensAt, closesAt, waitingUntil, recipients } = await planOf(accountId, campaignId, closed, tx);
  if (recipients.length > 0) await planRecipients(accountId, campaignId, recipients, tx);
  const bound = closesAt === null || (sendBefore !== null && sendBefore < closesAt) ? sendBefore : closesAt;
  await setOpening(accountId, campaignId, { opensAt, closesAt: bound, waitingUntil, knownLimit }, tx);
}

async function planOf(accountId: string, campaignId: string, closed: ClosedCampaign, tx: Tx): Promise<AdmissionPlan> {
  const { at, sendWindow, knownLimit } = closed;
  const openingOf = openingIn(closed);
  const wasLimited = knownLimit !== null && knownLimit !== UNLIMITED;
  if (!isLimited(closed) && !wasLimited && sendWindow?.timezone !== RECIPIENT_ZONES) {
    return sharedPlan(openingOf(null), at);
  }
  const unsent = await findUnsentRecipients(accountId, campaignId, tx);
  const { allowance, exempt } = isLimited(closed) ? await allowanceOf(accountId, campaignId, closed, tx) : NO_LIMIT;
  const waiting = unsent.map((recipient) => ({
    contactId: recipient.contactId,
    opening: openingOf(recipient),
    isExempt: recipient.isTried || exempt.has(recipient.contactId),
  }));
  return admit(waiting, allowance, at);
}

/** The plan of a campaign whose recipients all have the same opening. */
const sharedPlan = (opening: Opening | null, at: Date): AdmissionPlan => {
  const opensAt = opening !== null && opening.opensAt > at ? opening.opensAt : null;
  return { recipients: [], opensAt, closesAt: opening?.closesAt ?? null, waitingUntil: opensAt };
};

/** Looks up the opening of a recipient, or of the whole campaign (null). Gives null when there is no window. */
function openingIn(closed: ClosedCampaign): (recipient: UnsentRecipient | null) => Opening | null {
  const { at, sendWindow, scheduledTimezone } = closed;
  if (sendWindow === null) return () => null;
  const openingOf = openingsAt(sendWindow, at);
  const isPersonal = sendWindow.timezone === RECIPIENT_ZONES;
  const fallback = [isPersonal ? (scheduledTimezone ?? 'UTC') : sendWindow.timezone];
  return (recipient) => {
    const zones = isPersonal && recipient?.phoneNumber ? zonesOfNumber(recipient.phoneNumber) : [];
    return openingOf(zones.length === 0 ? fallback : zones);
  };
}

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
  const use = await readLimitUse(accountId, portfolioId, campaignId, days, tx);
  const exempt = await findExemptContacts(accountId, portfolioId, { id: campaignId, businessPhoneId }, days, tx);
  const moreAt = new Date(use.firstAt === null ? at.getTime() + RECHECK_MS : use.firstAt.getTime() + DAY);
  return { allowance: { people: Math.max(0, messagingLimit - use.people), moreAt }, exempt };
}

type LimitedCampaign = ClosedCampaign & { readonly messagingLimit: number; readonly portfolioId: string };

const isLimited = (campaign: ClosedCampaign): campaign is LimitedCampaign =>
  campaign.messagingLimit !== null && campaign.messagingLimit !== UNLIMITED && campaign.portfolioId !== null;
