/** A message's status, lowest first; `failed` is a branch off the ladder. */
export type MessageStatus = 'pending' | 'accepted' | 'sent' | 'delivered' | 'read' | 'clicked' | 'failed';

/**
 * What can be learned about a message:
 * - `accepted`, `held`, `refused`: the answer to our request (`refused` also when we know it cannot be sent)
 * - `sent`, `delivered`, `read`, `failed`: reports of the network
 * - `clicked`: the contact tapped one of its buttons
 * - `expired`: nothing was heard until the horizon, so we assume that it failed
 * - `cancelled`: its campaign was cancelled while it was provably unsent
 */
export type ReportKind =
  | 'accepted'
  | 'held'
  | 'refused'
  | 'sent'
  | 'delivered'
  | 'read'
  | 'failed'
  | 'clicked'
  | 'expired'
  | 'cancelled';

/** The bit of each report in `messages.seen`. */
export const SEEN: Readonly<Record<ReportKind, number>> = {
  accepted: 1,
  held: 2,
  sent: 4,
  delivered: 8,
  read: 16,
  clicked: 32,
  failed: 64,
  refused: 128,
  expired: 256,
  cancelled: 512,
};

/**
 * Set beside the reports once the recipient of a failed message is to get another one: that one counts as its failure or
 * not, whatever is still reported about this one.
 */
export const RETRIED = 1024;

const READ = SEEN.read | SEEN.clicked;
const DELIVERED = SEEN.delivered | READ;
/** Proof that the network took the message and let it go: everything but a held answer. */
const RELEASED = SEEN.accepted | SEEN.sent | DELIVERED | SEEN.failed;
/** Proof that the network took the message. */
const TAKEN = RELEASED | SEEN.held;

/** Our own word, or guess, that the network did not take the message. */
export const NOT_ACCEPTED = SEEN.refused | SEEN.expired | SEEN.cancelled;
/** A failure of which the campaign's counters say nothing: its recipient is cancelled, or has another message. */
const UNCOUNTED = SEEN.cancelled | RETRIED;

/** Whether the network is known to have accepted the message. */
export const wasAccepted = (seen: number): boolean => (seen & TAKEN) !== 0;

/** Whether `message.sent` is due: acceptance is known and the message is not merely held. */
export const wasReleased = (seen: number): boolean => (seen & RELEASED) !== 0;

/** Whether the message reached the phone; later steps imply it. */
export const wasDelivered = (seen: number): boolean => (seen & DELIVERED) !== 0;

/** Whether the message was read; a tap implies it. */
export const wasRead = (seen: number): boolean => (seen & READ) !== 0;

/**
 * The status that follows from the set of reports, whatever their order. A failure by horizon is a guess that any
 * sign of acceptance replaces.
 */
export function statusOf(seen: number): MessageStatus {
  if ((seen & SEEN.clicked) !== 0) return 'clicked';
  if ((seen & SEEN.read) !== 0) return 'read';
  if ((seen & SEEN.delivered) !== 0) return 'delivered';
  if ((seen & SEEN.failed) !== 0) return 'failed';
  if (wasReleased(seen)) return 'sent';
  if ((seen & SEEN.held) !== 0) return 'accepted';
  if ((seen & NOT_ACCEPTED) !== 0) return 'failed';
  return 'pending';
}

/** Whether the network reported a failure, or a failure of ours has not been replaced since. */
export const failureStands = (seen: number): boolean => (seen & SEEN.failed) !== 0 || statusOf(seen) === 'failed';

/** What one message adds to its campaign's counters. */
export interface Counts {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly failed: number;
}

/** The counters that follow from the set of reports: they always equal the rows. */
export const countsOf = (seen: number): Counts => ({
  sent: Number(wasAccepted(seen)),
  delivered: Number(wasDelivered(seen)),
  read: Number(wasRead(seen)),
  failed: Number(statusOf(seen) === 'failed' && (seen & UNCOUNTED) === 0),
});

/** An event that a report emits. */
export interface StatusEvent {
  readonly kind: 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed';
  /** The event's own status, not necessarily the record's. */
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** The record's status before. */
  readonly previous: MessageStatus;
}

/** What a report changes. */
export interface Transition {
  readonly seen: number;
  readonly status: MessageStatus;
  readonly events: readonly StatusEvent[];
}

const OWN_EVENT: Readonly<Partial<Record<ReportKind, Omit<StatusEvent, 'previous'>>>> = {
  delivered: { kind: 'message.delivered', status: 'delivered' },
  read: { kind: 'message.read', status: 'read' },
  failed: { kind: 'message.failed', status: 'failed' },
  refused: { kind: 'message.failed', status: 'failed' },
  expired: { kind: 'message.failed', status: 'failed' },
  cancelled: { kind: 'message.failed', status: 'failed' },
};

/**
 * Applies one report to the set of those already seen.
 *
 * @returns null when it was seen before, or comes too late to say anything: it changes and emits nothing
 */
export function applyReport(seen: number, kind: ReportKind): Transition | null {
  if ((seen & SEEN[kind]) !== 0) return null;
  // What we say ourselves is about messages of which nothing else is known.
  if ((SEEN[kind] & NOT_ACCEPTED) !== 0 && seen !== 0) return null;
  const before = statusOf(seen);
  const after = seen | SEEN[kind];
  const events: StatusEvent[] = [];
  let previous = before;
  if (!wasReleased(seen) && wasReleased(after)) {
    events.push({ kind: 'message.sent', status: 'sent', previous });
    previous = statusOf(seen | SEEN.accepted);
  }
  const own = OWN_EVENT[kind];
  if (own !== undefined) events.push({ ...own, previous });
  return { seen: after, status: statusOf(after), events };
}
