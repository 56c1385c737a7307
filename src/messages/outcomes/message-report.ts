import type { DomainEvent } from '../../outbox/event.js';
import { type LearnedIdentity, newsAbout, type ToldIdentity } from '../../people/learned-identity.js';
import type { PhoneNumber } from '../../values/phone-number.js';
import type { Pricing } from '../message.entity.js';
import type { MessageError, MessageSubject } from '../message-event.js';
import {
  applyReport,
  type Counts,
  countsOf,
  type MessageStatus,
  NOT_ACCEPTED,
  type ReportKind,
  SEEN,
  statusOf,
  wasAccepted,
} from '../message-status.js';
import { statusEvent } from '../messages.events.js';
import type { CreditSettlement } from './campaign-credits.js';

/** A report about one of our messages, from the network or from us. */
export interface MessageReport {
  readonly accountId: string;
  readonly messageId: string;
  readonly kind: ReportKind;
  /** When it happened, by the network's clock if the report has a time. */
  readonly at: Date;
  readonly error?: MessageError;
  /** The network's id of the message, if the report contains it. */
  readonly networkMessageId?: string;
  /** The phone that the report names; the report is ignored unless the message was sent from it. */
  readonly businessPhoneId?: string;
  /** What the network charges for the message, if the report contains it. */
  readonly pricing?: Pricing;
  /** What the report says about the person it was sent to. */
  readonly recipient?: ToldIdentity;
}

/** The stored state of a message that reports change. */
export interface ReportedMessage extends MessageSubject {
  readonly businessPhoneId: string;
  /** The number by which the network knows the contact, if it differs from ours. */
  readonly waId: PhoneNumber | null;
  readonly seen: number;
  readonly networkMessageId: string | null;
  readonly error: MessageError | null;
  readonly pricing: Pricing | null;
}

/** A step of a message's timeline. */
export type Step = 'accepted' | 'sent' | 'delivered' | 'read' | 'clicked' | 'failed';

/** A message as stored, before any report. @param campaign null for a single message */
export const untouchedMessage = (
  {
    accountId,
    messageId,
    contactId,
    contact,
    waId,
    contactName,
    businessPhoneId,
    reference,
  }: Pick<
    ReportedMessage,
    'accountId' | 'messageId' | 'contactId' | 'contact' | 'waId' | 'contactName' | 'businessPhoneId' | 'reference'
  >,
  campaign: { readonly id: string; readonly name: string } | null = null,
): ReportedMessage => ({
  accountId,
  messageId,
  contactId,
  contact,
  waId,
  contactName,
  businessPhoneId,
  reference,
  campaignId: campaign?.id ?? null,
  campaignName: campaign?.name ?? null,
  seen: 0,
  networkMessageId: null,
  error: null,
  pricing: null,
});

/** The new state of a message after its reports, and the consequences. */
export interface ReportOutcome {
  /** As it was read. */
  readonly before: ReportedMessage;
  readonly message: ReportedMessage;
  /** Times of the steps that the reports set; other steps keep theirs. */
  readonly reached: Readonly<Partial<Record<Step, Date>>>;
  readonly status: MessageStatus;
  /** The latest reported pricing; null if it has not changed. */
  readonly pricing: Pricing | null;
  readonly changed: boolean;
  readonly events: readonly DomainEvent[];
  /** Changes to the counters of its campaign; null when there are none. */
  readonly delta: Counts | null;
  readonly settlement: CreditSettlement | null;
  /** The contact's identity, if the reports contain something new about it. */
  readonly learned: LearnedIdentity | null;
}

/**
 * Applies reports to the stored state of their message. A report that names another phone belongs to another message
 * and is ignored.
 *
 * @param at the time of the events
 */
export function foldReports(before: ReportedMessage, reports: readonly MessageReport[], at: Date): ReportOutcome {
  let { seen, networkMessageId, error, pricing } = before;
  let recipient: ToldIdentity | null = null;
  const reached: Partial<Record<Step, Date>> = {};
  const events: DomainEvent[] = [];
  for (const report of reports) {
    if (report.businessPhoneId !== undefined && report.businessPhoneId !== before.businessPhoneId) continue;
    networkMessageId ??= report.networkMessageId ?? null;
    pricing = report.pricing ?? pricing;
    recipient = report.recipient ?? recipient;
    const transition = applyReport(seen, report.kind);
    if (transition === null) continue;
    for (const step of stepsOf(report.kind, seen)) reached[step] = report.at;
    seen = transition.seen;
    error = errorAfter(error, seen, report);
    for (const event of transition.events) {
      events.push(statusEvent(before, event, report.error ?? null, report.at, at));
    }
  }
  const message = { ...before, seen, networkMessageId, error, pricing };
  const newPricing = pricing === before.pricing || samePricing(pricing, before.pricing) ? null : pricing;
  return {
    before,
    message,
    reached,
    status: statusOf(seen),
    pricing: newPricing,
    changed: seen !== before.seen || networkMessageId !== before.networkMessageId || newPricing !== null,
    events,
    delta: before.campaignId === null ? null : deltaBetween(before, message),
    settlement: before.campaignId === null ? null : settlementBetween(before, before.campaignId, message),
    learned: recipient === null ? null : newsAbout(before, recipient),
  };
}

const samePricing = (a: Pricing | null, b: Pricing | null): boolean =>
  a?.category === b?.category &&
  a?.pricing_model === b?.pricing_model &&
  a?.billable === b?.billable &&
  a?.type === b?.type;

/** Keeps the error while the message is failed; a later report's error replaces it. */
function errorAfter(known: MessageError | null, seen: number, report: MessageReport): MessageError | null {
  if (statusOf(seen) !== 'failed') return null;
  return report.error ?? known;
}

/** The steps whose time a report sets. The network's answer to our request only sets steps that have no time yet. */
function stepsOf(kind: ReportKind, seen: number): readonly Step[] {
  const accepted: Step[] = (seen & (SEEN.accepted | SEEN.held)) === 0 ? ['accepted'] : [];
  switch (kind) {
    case 'accepted':
      return (seen & (SEEN.accepted | SEEN.sent)) === 0 ? [...accepted, 'sent'] : accepted;
    case 'held':
      return accepted;
    case 'refused':
    case 'expired':
    case 'cancelled':
    case 'silent':
      return ['failed'];
    default:
      return [kind];
  }
}

function deltaBetween(before: ReportedMessage, after: ReportedMessage): Counts | null {
  if (before.seen === after.seen) return null;
  const old = countsOf(before.seen);
  const now = countsOf(after.seen);
  const delta = {
    sent: now.sent - old.sent,
    delivered: now.delivered - old.delivered,
    read: now.read - old.read,
    failed: now.failed - old.failed,
    held: now.held - old.held,
  };
  return Object.values(delta).some((change) => change !== 0) ? delta : null;
}

/**
 * Refunds a credit when a message turns out not to be accepted, and charges it again when it was accepted after all.
 */
function settlementBetween(
  before: ReportedMessage,
  campaignId: string,
  after: ReportedMessage,
): CreditSettlement | null {
  const { accountId, contactId, messageId } = before;
  const accepted = wasAccepted(after.seen);
  const learned = accepted
    ? (before.seen & NOT_ACCEPTED) !== 0 && !wasAccepted(before.seen)
    : (after.seen & NOT_ACCEPTED) !== 0 && (before.seen & NOT_ACCEPTED) === 0;
  return learned ? { accountId, campaignId, contactId, messageId, accepted } : null;
}
