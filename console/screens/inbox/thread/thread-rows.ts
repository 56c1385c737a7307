import type { Entry } from '../records.js';
import { keyOf } from './stretch.js';

/** A line of the thread: an entry, what stands above it, and what it continues. */
export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly at: string }
  | { readonly kind: 'closed'; readonly key: string; readonly at: string }
  | { readonly kind: 'entry'; readonly key: string; readonly entry: Entry; readonly isContinued: boolean };

/**
 * The lines of a thread: its entries with the days between them, and the end of its window where it has closed.
 *
 * @param entries the oldest first
 * @param closedAt when the window closed; null while it is open, was never open or its end is not shown
 */
export function rowsOf(entries: readonly Entry[], closedAt: string | null): readonly Row[] {
  const rows: Row[] = [];
  let day = '';
  let above: Entry | null = null;
  let isOpen = closedAt !== null;
  const begin = (at: string): boolean => {
    const next = dayOf(at);
    if (next === day) return false;
    day = next;
    rows.push({ kind: 'day', key: `day ${next}`, at });
    return true;
  };
  const close = (at: string): void => {
    rows.push({ kind: 'closed', key: 'closed', at });
    isOpen = false;
    above = null;
  };
  for (const entry of entries) {
    if (isOpen && closedAt !== null && new Date(entry.at) > new Date(closedAt)) close(closedAt);
    if (begin(entry.at)) above = null;
    rows.push({ kind: 'entry', key: keyOf(entry), entry, isContinued: above !== null && isOneSide(above, entry) });
    above = entry;
  }
  if (isOpen && closedAt !== null) close(closedAt);
  return rows;
}

/** Names the day of a moment where the browser is. */
export function dayOf(moment: string | Date): string {
  const date = new Date(moment);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}

/** Messages further apart do not look like one, milliseconds. */
const MAX_APART_MS = 600_000;

/** Whether two messages come from the same side, and shortly after each other. */
function isOneSide(above: Entry, { message, at }: Entry): boolean {
  const before = above.message;
  if (before === undefined || message === undefined || before.direction !== message.direction) return false;
  return authorOf(before) === authorOf(message) && Date.parse(at) - Date.parse(above.at) < MAX_APART_MS;
}

function authorOf({ sent_by, campaign_id, template_name }: NonNullable<Entry['message']>): string {
  return `${sent_by?.source ?? ''} ${sent_by?.user_id ?? ''} ${campaign_id ?? ''} ${template_name ?? ''}`;
}
