import type { LearnedIdentity } from '../../contacts/identity/contact-identity.queries.js';
import type { DomainEvent } from '../../outbox/event.js';
import { type MessageError, type MessageSubject, statusEvent } from '../message-event.js';
import type { CreditSettlement } from './campaign-credits.js';
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
} from './message-status.js';

/** Something learned about one of our messages. */
export interface MessageReport {
  readonly accountId: string;
  readonly messageId: string;
  readonly kind: ReportKind;
  /** When it happened, by the network's clock where it says so. */
  readonly at: Date;
  readonly error?: MessageError;
  /** The network's id of the message, when the report carries it. */
  readonly networkMessageId?: string;
  /** The phone that the report names; it counts only if the message was sent from it. */
  readonly businessPhoneId?: string;
  /** What the network says it charges for the message, when the report says so. */
  readonly pricing?: Pricing;
  /** Whom the message went to, when the report tells the network's id of the person. */
  readonly recipient?: ReportedRecipient;
}

/** What the network charges for a message, in its own words. */
export interface Pricing {
  readonly category?: string;
  readonly pricing_model?: string;
  readonly billable?: boolean;
  readonly type?: string;
}

/** The person in a report. */
export type ReportedRecipient = Pick<LearnedIdentity, 'number' | 'userId' | 'username'>;

/** What is stored of a message before reports are applied. */
export interface ReportedMessage extends MessageSubject {
  readonly businessPhoneId: string;
  readonly seen: number;
  readonly networkMessageId: string | null;
  readonly error: MessageError | null;
  readonly pricing: Pricing | null;
}

/** A step of a message's timeline. */
export type Step = 'accepted' | 'sent' | 'delivered' | 'read' | 'clicked' | 'failed';

/** A single message as it is stored before anything is learned about it. */
export const untouchedMessage = (
  message: Pick<
    ReportedMessage,
    'accountId' | 'messageId' | 'contactId' | 'contact' | 'contactName' | 'businessPhoneId'
  >,
): ReportedMessage => ({
  ...message,
  campaignId: null,
  campaignName: null,
  seen: 0,
  networkMessageId: null,
  error: null,
  pricing: null,
});

/** What is stored of it afterwards, and what follows. */
export interface ReportOutcome {
  /** As it was read. */
  readonly before: ReportedMessage;
  readonly message: ReportedMessage;
  /** The steps that the reports tell the time of; other steps keep theirs. */
  readonly reached: Readonly<Partial<Record<Step, Date>>>;
  readonly status: MessageStatus;
  /** What the latest report says it costs; null when that is stored already. */
  readonly pricing: Pricing | null;
  readonly changed: boolean;
  readonly events: readonly DomainEvent[];
  /** How the counters of its campaign move; null for a message outside of campaigns, and when they stay. */
  readonly delta: Counts | null;
  readonly settlement: CreditSettlement | null;
  /** Who the contact is, where that is news; null where it is known. */
  readonly learned: LearnedIdentity | null;
}

/**
 * Folds reports of one message into what is stored of it. A report that names another phone is about another message.
 *
 * @param at now: the time of the events
 */
export function foldReports(before: ReportedMessage, reports: readonly MessageReport[], at: Date): ReportOutcome {
  let { seen, networkMessageId, error, pricing } = before;
  let recipient: ReportedRecipient | null = null;
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
  const newPricing = samePricing(pricing, before.pricing) ? null : pricing;
  return {
    before,
    message,
    reached,
    status: statusOf(seen),
    pricing: newPricing,
    changed: seen !== before.seen || networkMessageId !== before.networkMessageId || newPricing !== null,
    events,
    delta: deltaBetween(before, message),
    settlement: settlementBetween(before, message),
    learned: recipient === null ? null : newsOf(before, recipient),
  };
}

/** Nothing is news where the contact has this user id, and a number unless none was told. */
function newsOf(
  { accountId, contactId, contact }: ReportedMessage,
  recipient: ReportedRecipient,
): LearnedIdentity | null {
  const isKnown = contact.userId === recipient.userId && (contact.phoneNumber !== null || recipient.number === null);
  return isKnown ? null : { accountId, contactId, ...recipient };
}

const samePricing = (a: Pricing | null, b: Pricing | null): boolean =>
  a?.category === b?.category &&
  a?.pricing_model === b?.pricing_model &&
  a?.billable === b?.billable &&
  a?.type === b?.type;

/** A message's error stands while it is failed; a guess or refusal gives way to what the network reports. */
function errorAfter(known: MessageError | null, seen: number, report: MessageReport): MessageError | null {
  if (statusOf(seen) !== 'failed') return null;
  return report.error ?? known;
}

/** The steps that a report tells the time of: our own acceptance only of those that have none yet. */
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
      return ['failed'];
    default:
      return [kind];
  }
}

function deltaBetween(before: ReportedMessage, after: ReportedMessage): Counts | null {
  if (before.campaignId === null || before.seen === after.seen) return null;
  const old = countsOf(before.seen);
  const now = countsOf(after.seen);
  const delta = {
    sent: now.sent - old.sent,
    delivered: now.delivered - old.delivered,
    read: now.read - old.read,
    failed: now.failed - old.failed,
  };
  return delta.sent || delta.delivered || delta.read || delta.failed ? delta : null;
}

/** A credit goes back when a message turns out not to be accepted, and is charged again when it was after all. */
function settlementBetween(before: ReportedMessage, after: ReportedMessage): CreditSettlement | null {
  const { accountId, campaignId, contactId, messageId } = before;
  if (campaignId === null) return null;
  const accepted = wasAccepted(after.seen);
  const learned = accepted
    ? (before.seen & NOT_ACCEPTED) !== 0 && !wasAccepted(before.seen)
    : (after.seen & NOT_ACCEPTED) !== 0 && (before.seen & NOT_ACCEPTED) === 0;
  return learned ? { accountId, campaignId, contactId, messageId, accepted } : null;
}
