import { failureStands } from '../reports/message-status.js';
import type { MessageRow } from './message-history.queries.js';

/** One step of a message's life, and when it was reached. */
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
 * When each status was reached, in the order in which a message climbs. Steps come from two clocks, and the network's
 * counts whole seconds: a step is never shown before the message was made, nor after one that implies it. A failure
 * that was a guess, and that reports have replaced, is left out.
 */
export function timelineOf(row: TimelineRow): TimelineStep[] {
  if (row.direction === 'in') return [{ status: 'received', at: row.createdAt }];
  const climbed = climbOf(row);
  const { failedAt } = row;
  return failedAt === null || !failureStands(row.seen) ? climbed : withFailure(climbed, failedAt, row.status);
}

function climbOf(row: TimelineRow): TimelineStep[] {
  const ladder: readonly (readonly [string, Date | null])[] = [
    ['clicked', row.clickedAt],
    ['read', row.readAt],
    ['delivered', row.deliveredAt],
    ['sent', row.sentAt],
    ['accepted', row.acceptedAt],
  ];
  const steps: TimelineStep[] = [];
  let latest: Date | null = null;
  for (const [status, at] of ladder) {
    if (at === null) continue;
    latest = latest === null ? at : earlier(at, latest);
    steps.unshift({ status, at: later(latest, row.createdAt) });
  }
  return [{ status: 'pending', at: row.createdAt }, ...steps];
}

/** A failure stands last while the message is failed, else among the steps of its time. */
function withFailure(climbed: readonly TimelineStep[], failedAt: Date, status: string): TimelineStep[] {
  const after = climbed.filter((step) => status !== 'failed' && secondOf(step.at) > secondOf(failedAt));
  const before = climbed.slice(0, climbed.length - after.length);
  const at = before.reduce((latest, step) => later(latest, step.at), failedAt);
  return [...before, { status: 'failed', at }, ...after];
}

const secondOf = (at: Date): number => Math.floor(at.getTime() / 1000);
const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
const later = (a: Date, b: Date): Date => (a > b ? a : b);
