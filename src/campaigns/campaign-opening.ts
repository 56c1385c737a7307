import type { Tx } from '../database/unit-of-work.js';
import { zonesOfNumber } from '../values/number-zones.js';
import { refundUntouched } from './campaign-credits.queries.js';
import {
  type ClosedCampaign,
  cancelUnsent,
  findUnsentRecipients,
  holdRecipients,
  lockClosedCampaign,
  setOpening,
} from './campaign-opening.queries.js';
import { type Opening, openingsAt, RECIPIENT_ZONES, type SendWindow } from './send-window-rules.js';

/**
 * Finds out when a campaign whose time to send is over may send next, and holds it until then. A campaign may send to
 * whoever is due between `opens_at` and `closes_at`, and nobody has to be there when these pass: what is late is the next
 * opening. Where the zones of recipients decide, it closes as soon as it does so for any of them, and those are held one by
 * one. After its deadline everybody who is unsent is cancelled. Does nothing when the campaign may send.
 */
export async function openAnew(accountId: string, campaignId: string, tx: Tx): Promise<void> {
  const closed = await lockClosedCampaign(accountId, campaignId, tx);
  if (closed === null) return;
  const { at, status, sendWindow, sendBefore } = closed;
  if (sendBefore !== null && sendBefore <= at) {
    await refundUntouched(accountId, campaignId, 'cancelled', tx);
    await cancelUnsent(accountId, campaignId, tx);
    // While it runs it stays closed: recipients in hand at this moment may come back, and are cancelled then.
    if (status === 'failed') await setOpening(accountId, campaignId, { opensAt: null, closesAt: null }, tx);
    return;
  }
  const opening = sendWindow && (await nextOpening(accountId, campaignId, closed, sendWindow, tx));
  const opensAt = opening !== null && opening.opensAt > at ? opening.opensAt : null;
  const closesAt = opening === null ? sendBefore : earlier(opening.closesAt, sendBefore ?? opening.closesAt);
  await setOpening(accountId, campaignId, { opensAt, closesAt }, tx);
}

async function nextOpening(
  accountId: string,
  campaignId: string,
  { at, scheduledTimezone }: ClosedCampaign,
  window: SendWindow,
  tx: Tx,
): Promise<Opening | null> {
  const openingOf = openingsAt(window, at);
  if (window.timezone !== RECIPIENT_ZONES) return openingOf([window.timezone]);
  const nowhere = [scheduledTimezone ?? 'UTC'];
  const unsent = (await findUnsentRecipients(accountId, campaignId, tx)).map(({ contactId, phoneNumber }) => {
    const zones = phoneNumber === null ? [] : zonesOfNumber(phoneNumber);
    return { contactId, ...openingOf(zones.length === 0 ? nowhere : zones) };
  });
  const held = unsent.filter(({ opensAt }) => opensAt > at);
  await holdRecipients(
    accountId,
    campaignId,
    held.map(({ contactId, opensAt }) => ({ contactId, until: opensAt })),
    tx,
  );
  return unsent.reduce<Opening | null>(
    (first, { opensAt, closesAt }) => ({
      opensAt: earlier(opensAt, first?.opensAt ?? opensAt),
      closesAt: earlier(closesAt, first?.closesAt ?? closesAt),
    }),
    null,
  );
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);
