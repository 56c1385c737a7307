import type { DomainEvent } from '../outbox/event.js';
import type { CampaignDelta, CampaignSettlement } from './campaign-progress.js';
import { type MessageError, type MessageSubject, statusEvent } from './message-event.js';
import {
  applyReport,
  countsOf,
  type MessageStatus,
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
  /** The phone that the report names; it counts only if the message was sent from it (D70). */
  readonly businessPhoneId?: string;
}

/** What is stored of a message before reports are applied. */
export interface ReportedMessage extends MessageSubject {
  readonly contactId: string;
  readonly businessPhoneId: string;
  readonly recipientId: string | null;
  readonly seen: number;
  readonly networkMessageId: string | null;
  readonly error: MessageError | null;
}

/** A step of a message's timeline. */
export type Step = 'accepted' | 'sent' | 'delivered' | 'read' | 'clicked' | 'failed';

/** A single message as it is stored before anything is learned about it. */
export const untouchedMessage = (
  message: Pick<
    ReportedMessage,
    'accountId' | 'messageId' | 'contactId' | 'contactPhone' | 'contactName' | 'businessPhoneId'
  >,
): ReportedMessage => ({
  ...message,
  campaignId: null,
  campaignName: null,
  recipientId: null,
  seen: 0,
  networkMessageId: null,
  error: null,
});

/** What is stored of it afterwards, and what follows. */
export interface ReportOutcome {
  /** As it was read. */
  readonly before: ReportedMessage;
  readonly message: ReportedMessage;
  /** The steps that the reports tell the time of; other steps keep theirs. */
  readonly reached: Readonly<Partial<Record<Step, Date>>>;
  readonly status: MessageStatus;
  readonly changed: boolean;
  readonly events: readonly DomainEvent[];
  readonly delta: CampaignDelta | null;
  readonly settlement: CampaignSettlement | null;
}

/**
 * Folds reports of one message into what is stored of it; one that names another phone is not about it (D70).
 *
 * @param at now: the time of the events
 */
export function foldReports(before: ReportedMessage, reports: readonly MessageReport[], at: Date): ReportOutcome {
  let { seen, networkMessageId, error } = before;
  const reached: Partial<Record<Step, Date>> = {};
  const events: DomainEvent[] = [];
  for (const report of reports) {
    if (report.businessPhoneId !== undefined && report.businessPhoneId !== before.businessPhoneId) continue;
    networkMessageId ??= report.networkMessageId ?? null;
    const transition = applyReport(seen, report.kind);
    if (transition === null) continue;
    for (const step of stepsOf(report.kind, seen)) reached[step] = report.at;
    seen = transition.seen;
    error = errorAfter(error, seen, report);
    for (const event of transition.events) {
      events.push(statusEvent(before, event, report.error ?? null, report.at, at));
    }
  }
  const message = { ...before, seen, networkMessageId, error };
  return {
    before,
    message,
    reached,
    status: statusOf(seen),
    changed: seen !== before.seen || networkMessageId !== before.networkMessageId,
    events,
    delta: deltaBetween(before, message),
    settlement: settlementBetween(before, message),
  };
}

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
      return ['failed'];
    default:
      return [kind];
  }
}

function deltaBetween(before: ReportedMessage, after: ReportedMessage): CampaignDelta | null {
  if (before.campaignId === null || before.recipientId === null || before.seen === after.seen) return null;
  const old = countsOf(before.seen);
  const now = countsOf(after.seen);
  const delta = {
    accountId: before.accountId,
    campaignId: before.campaignId,
    sent: now.sent - old.sent,
    delivered: now.delivered - old.delivered,
    read: now.read - old.read,
    failed: now.failed - old.failed,
  };
  return delta.sent || delta.delivered || delta.read || delta.failed ? delta : null;
}

const NOT_ACCEPTED = SEEN.refused | SEEN.expired;

/** Credits go back when a message turns out not to be accepted, and are charged again when it was after all (D30). */
function settlementBetween(before: ReportedMessage, after: ReportedMessage): CampaignSettlement | null {
  const { accountId, campaignId, recipientId } = before;
  if (campaignId === null || recipientId === null) return null;
  const accepted = wasAccepted(after.seen);
  const learned = accepted
    ? (before.seen & NOT_ACCEPTED) !== 0 && !wasAccepted(before.seen)
    : (after.seen & NOT_ACCEPTED) !== 0 && (before.seen & NOT_ACCEPTED) === 0;
  return learned ? { accountId, campaignId, recipientId, accepted } : null;
}
