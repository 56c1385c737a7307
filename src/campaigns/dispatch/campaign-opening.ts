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
import { findFreeContacts, lockPortfolio, readLimitUse } from './messaging-limit.queries.js';
import { type Opening, openingsAt, RECIPIENT_ZONES } from './send-window-rules.js';

/** While nobody has been reached yet, when to see whether others left some of the messaging limit. Milliseconds. */
const RECHECK_MS = MINUTE;

/**
 * Finds out when a campaign that has closed may send next, and to whom, and holds the others until then. A campaign may send
 * to whoever is due between `opens_at` and `closes_at`, and nobody has to be there when these pass: what is late is the next
 * opening. Where the zones of recipients decide, it closes as soon as it does so for any of them. Where the messaging limit
 * of its portfolio is known, recipients are admitted here, under the lock of the portfolio. After its deadline everybody who
 * is unsent is cancelled. Does nothing when the campaign may send.
 */
export async function planNextOpening(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  const closed = await lockClosedCampaign(accountId, campaignId, tx);
  if (closed === null) return;
  const { at, status, sendBefore, messagingLimit: knownLimit } = closed;
  if (sendBefore !== null && sendBefore <= at) {
    await refundUntouched(accountId, campaignId, 'cancelled', tx);
    await cancelUnsent(accountId, campaignId, tx);
    // While it runs it stays closed: recipients in hand at this moment may come back, and are cancelled then.
    const closesAt = status === 'failed' ? null : sendBefore;
    await setOpening(accountId, campaignId, { opensAt: null, closesAt, waitingUntil: null, knownLimit }, tx);
    return;
  }
  // Nobody waits for the portfolio: the sweep comes again.
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
  const { allowance, free } = isLimited(closed) ? await allowanceOf(accountId, campaignId, closed, tx) : NO_LIMIT;
  const waiting = unsent.map((recipient) => ({
    contactId: recipient.contactId,
    opening: openingOf(recipient),
    isFree: recipient.isTried || free.has(recipient.contactId),
  }));
  return admit(waiting, allowance, at);
}

/** The plan of a campaign whose recipients are all in the same place. */
const sharedPlan = (opening: Opening | null, at: Date): AdmissionPlan => {
  const opensAt = opening !== null && opening.opensAt > at ? opening.opensAt : null;
  return { recipients: [], opensAt, closesAt: opening?.closesAt ?? null, waitingUntil: opensAt };
};

/** The opening of a recipient, or of the whole campaign; null when there is no window. */
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
  readonly free: ReadonlySet<string>;
}

const NO_LIMIT: LimitState = { allowance: null, free: new Set() };

/** What the portfolio's messaging limit leaves to the campaign; the caller has locked the portfolio. */
async function allowanceOf(
  accountId: string,
  campaignId: string,
  { at, messagingLimit, portfolioId, businessPhoneId }: LimitedCampaign,
  tx: Tx,
): Promise<LimitState> {
  const days = [1, 2].map((days) => lowestIdAt(new Date(at.getTime() - days * DAY))) as [string, string];
  const use = await readLimitUse(accountId, portfolioId, campaignId, days, tx);
  const free = await findFreeContacts(accountId, portfolioId, { id: campaignId, businessPhoneId }, days, tx);
  const moreAt = new Date(use.firstAt === null ? at.getTime() + RECHECK_MS : use.firstAt.getTime() + DAY);
  return { allowance: { people: Math.max(0, messagingLimit - use.people), moreAt }, free };
}

type LimitedCampaign = ClosedCampaign & { readonly messagingLimit: number; readonly portfolioId: string };

const isLimited = (campaign: ClosedCampaign): campaign is LimitedCampaign =>
  campaign.messagingLimit !== null && campaign.messagingLimit !== UNLIMITED && campaign.portfolioId !== null;
