import { FROM_PHONE_APP, failureStands } from '../message-status.js';
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
  return (row.seen & FROM_PHONE_APP) !== 0 ? steps : [{ status: 'pending', at: row.createdAt }, ...steps];
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
