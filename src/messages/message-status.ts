/** The statuses of outbound messages, lowest first; `failed` can follow most of them. */
export const MESSAGE_STATUSES = ['pending', 'accepted', 'sent', 'delivered', 'read', 'clicked', 'failed'] as const;
export type MessageStatus = (typeof MESSAGE_STATUSES)[number];

/**
 * The kinds of reports about a message:
 * - `accepted`, `held`, `refused`: the answer to our request (`refused` also when we know it cannot be sent)
 * - `sent`, `delivered`, `read`, `failed`: status reports of the network
 * - `clicked`: the contact tapped one of its buttons
 * - `expired`: no report arrived before the horizon, so we assume that it failed
 * - `cancelled`: its campaign was cancelled while it was provably unsent
 * - `silent`: the network accepted it and has reported nothing for so long that we assume that it failed
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
  | 'cancelled'
  | 'silent';

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
  silent: 2048,
};

/**
 * Set in `messages.seen` once the recipient of a failed message gets another one. From then on only the new message
 * counts for the campaign, whatever is still reported about this one: its counters are of people.
 */
export const RETRIED = 1024;

/**
 * Set in `messages.seen` of a message that the business sent with the phone app: reports are applied to it, and tell no
 * events.
 */
export const FROM_PHONE_APP = 4096;

const READ = SEEN.read | SEEN.clicked;
const DELIVERED = SEEN.delivered | READ;
/** Proof that the network accepted the message and is not holding it. */
const RELEASED = SEEN.accepted | SEEN.sent | DELIVERED | SEEN.failed;
/** Proof that the network accepted the message. */
const TAKEN = RELEASED | SEEN.held;
/** Reports of the network, other than its answer to our request. */
export const REPORTED = SEEN.sent | DELIVERED | SEEN.failed;

/** Our own reports that the network did not accept the message; `expired` is a guess. */
export const NOT_ACCEPTED = SEEN.refused | SEEN.expired | SEEN.cancelled;
/** The bits of `messages.seen` any of which proves that a message got that far. A later step implies the earlier ones. */
export const REACHED = { sent: TAKEN, delivered: DELIVERED, read: READ } as const;

/**
 * SQL: when the network answered to message `m`, or it was made. A message that waited for a retry, or for its campaign to
 * be resumed, may be much older.
 */
export const answeredAt = (m: string): string => `coalesce(${m}.accepted_at, ${m}.failed_at, ${m}.created_at)`;

/** Whether the network is known to have accepted the message. */
export const wasAccepted = (seen: number): boolean => (seen & TAKEN) !== 0;

/** Whether `message.sent` is due: the message is known to be accepted and not just held. */
const wasReleased = (seen: number): boolean => (seen & RELEASED) !== 0;

/** Whether the message was delivered; later steps imply it. */
const wasDelivered = (seen: number): boolean => (seen & DELIVERED) !== 0;

/** Whether the message was read; a tap implies it. */
const wasRead = (seen: number): boolean => (seen & READ) !== 0;

/**
 * Derives the status from the set of reports, whatever their order. Any sign of acceptance overrides an assumed
 * failure, and any report the assumption that none will come.
 */
export function statusOf(seen: number): MessageStatus {
  if ((seen & SEEN.clicked) !== 0) return 'clicked';
  if ((seen & SEEN.read) !== 0) return 'read';
  if ((seen & SEEN.delivered) !== 0) return 'delivered';
  if ((seen & SEEN.failed) !== 0) return 'failed';
  if ((seen & (SEEN.silent | SEEN.sent)) === SEEN.silent) return 'failed';
  if (wasReleased(seen)) return 'sent';
  if ((seen & SEEN.held) !== 0) return 'accepted';
  if ((seen & NOT_ACCEPTED) !== 0) return 'failed';
  return 'pending';
}

/** Whether the network reported a failure, or one that we reported has not been disproved. */
export const failureStands = (seen: number): boolean => (seen & SEEN.failed) !== 0 || statusOf(seen) === 'failed';

/** A message's contribution to its campaign's counters. */
export interface Counts {
  readonly sent: number;
  readonly delivered: number;
  readonly read: number;
  readonly failed: number;
  /** Accepted, and held back by the network for now. */
  readonly held: number;
}

const UNCOUNTED: Counts = { sent: 0, delivered: 0, read: 0, failed: 0, held: 0 };

/**
 * Derives the counters from the set of reports, so that they always agree with the rows. A message whose recipient got
 * another one counts nothing.
 */
export const countsOf = (seen: number): Counts =>
  (seen & RETRIED) !== 0
    ? UNCOUNTED
    : {
        sent: Number(wasAccepted(seen)),
        delivered: Number(wasDelivered(seen)),
        read: Number(wasRead(seen)),
        // A cancelled recipient is not counted as failed.
        failed: Number(statusOf(seen) === 'failed' && (seen & SEEN.cancelled) === 0),
        held: Number(statusOf(seen) === 'accepted'),
      };

/** A webhook event caused by a report. */
export interface StatusEvent {
  readonly kind: 'message.sent' | 'message.delivered' | 'message.read' | 'message.failed';
  /** The status of the event, which may differ from the message's. */
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** The message's status before the event. */
  readonly previous: MessageStatus;
}

/** The effect of a report. */
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
  silent: { kind: 'message.failed', status: 'failed' },
};

/**
 * Applies one report to the set of those already seen.
 *
 * @returns null for a duplicate, or one of our own reports that comes too late: it has no effect
 */
export function applyReport(seen: number, kind: ReportKind): Transition | null {
  if ((seen & SEEN[kind]) !== 0) return null;
  // Our own reports only count while nothing else is known about the message.
  if ((SEEN[kind] & NOT_ACCEPTED) !== 0 && seen !== 0) return null;
  if (kind === 'silent' && (!wasAccepted(seen) || (seen & REPORTED) !== 0)) return null;
  const before = statusOf(seen);
  const after = seen | SEEN[kind];
  const events: StatusEvent[] = [];
  let previous = before;
  const isDisproved = before === 'failed' && statusOf(after) === 'sent';
  if ((!wasReleased(seen) && wasReleased(after)) || isDisproved) {
    events.push({ kind: 'message.sent', status: 'sent', previous });
    previous = statusOf(seen | SEEN.accepted);
  }
  const own = OWN_EVENT[kind];
  if (own !== undefined) events.push({ ...own, previous });
  return { seen: after, status: statusOf(after), events: (seen & FROM_PHONE_APP) === 0 ? events : [] };
}
