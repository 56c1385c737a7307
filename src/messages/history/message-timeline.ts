import { FROM_PHONE_APP, failureStands, SEEN } from '../message-status.js';
import type { MessageRow } from './message-history.queries.js';

/** A status a message reached, and when. */
export interface TimelineStep {
  readonly status: string;
  readonly at: Date;
}

/** The columns that make up the timeline. */
export type TimelineRow = Pick<
  MessageRow,
  | 'direction'
  | 'seen'
  | 'status'
  | 'createdAt'
  | 'acceptedAt'
  | 'sentAt'
  | 'deliveredAt'
  | 'readAt'
  | 'clickedAt'
  | 'failedAt'
>;

/**
 * When each status was reached, lowest first. The times come from two clocks, and the network's has a resolution of one
 * second, so a step is never shown before the message was created or after a later step that implies it. A failure we
 * only assumed is left out once reports have disproved it.
 */
export function timelineOf(row: TimelineRow): TimelineStep[] {
  if (row.direction === 'in') return [{ status: 'received', at: row.createdAt }];
  const climbed = reachedSteps(row);
  const { failedAt } = row;
  return failedAt === null || !failureStands(row.seen) ? climbed : withFailure(climbed, failedAt, row.status);
}

function reachedSteps(row: TimelineRow): TimelineStep[] {
  const reported = climb(row).flatMap(({ status, at, isReported }) =>
    at === null || !isReported ? [] : [{ status, at }],
  );
  return (row.seen & FROM_PHONE_APP) !== 0 ? reported : [{ status: 'pending', at: row.createdAt }, ...reported];
}

/** The columns of the steps, highest first. */
const LADDER = [
  ['clicked', 'clickedAt'],
  ['read', 'readAt'],
  ['delivered', 'deliveredAt'],
  ['sent', 'sentAt'],
  ['accepted', 'acceptedAt'],
] as const;

/** The steps, lowest first. Where `isReported` is false, only a later step tells that it was reached. */
function climb(row: LadderRow): { status: (typeof LADDER)[number][0]; at: Date | null; isReported: boolean }[] {
  let latest: Date | null = null;
  return LADDER.map(([status, column]) => {
    const reported = row[column];
    if (reported !== null) latest = latest === null ? reported : earlier(reported, latest);
    return { status, at: latest === null ? null : later(latest, row.createdAt), isReported: reported !== null };
  }).reverse();
}

/** The columns that {@link reachedTimes} reads. */
export type LadderRow = Omit<TimelineRow, 'direction' | 'status'>;

/** When a message was first known to have got that far; null: it has not. */
export interface ReachedTimes {
  readonly accepted: Date | null;
  readonly delivered: Date | null;
  readonly read: Date | null;
  readonly clicked: Date | null;
}

/**
 * When a message reached the steps that its reports tell or imply, in the order of {@link timelineOf}: a message that was
 * read without a report of its delivery was delivered when it was read, and one that the network failed was accepted.
 */
export function reachedTimes(row: LadderRow): ReachedTimes {
  const { accepted, delivered, read, clicked } = Object.fromEntries(climb(row).map(({ status, at }) => [status, at]));
  const failed = (row.seen & SEEN.failed) === 0 || row.failedAt === null ? null : later(row.failedAt, row.createdAt);
  return {
    accepted: accepted ?? failed,
    delivered: delivered ?? null,
    read: read ?? null,
    clicked: clicked ?? null,
  };
}

/** Puts the failure last if the message is failed, otherwise in order of time. */
function withFailure(climbed: readonly TimelineStep[], failedAt: Date, status: string): TimelineStep[] {
  const after = climbed.filter((step) => status !== 'failed' && secondOf(step.at) > secondOf(failedAt));
  const before = climbed.slice(0, climbed.length - after.length);
  const at = before.reduce((latest, step) => later(latest, step.at), failedAt);
  return [...before, { status: 'failed', at }, ...after];
}

const secondOf = (at: Date): number => Math.floor(at.getTime() / 1000);
const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
const later = (a: Date, b: Date): Date => (a > b ? a : b);
