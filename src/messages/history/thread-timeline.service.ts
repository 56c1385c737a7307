import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../../accounts/business-phones.service.js';
import { conversationNotFound } from '../../conversations/conversations.errors.js';
import type { ConversationChoice } from '../../conversations/conversations.service.js';
import { type Database, UnitOfWork } from '../../database/unit-of-work.js';
import { NIL_ID, type RecordId } from '../../values/record-id.js';
import { messageNotFound } from '../messages.errors.js';
import { CampaignLooks } from './campaign-looks.js';
import { findMessages } from './message-history.queries.js';
import { type ShownMessage, shownMessages } from './shown-message.js';
import {
  type FoundPart,
  findThread,
  findTimeline,
  isInThread,
  type Thread,
  type TimelineKey,
  type TimelinePart,
} from './thread-timeline.queries.js';

/** Where a page of a timeline is: before or after a place, around a message, or at the newest entries. */
export type TimelinePlace =
  | { readonly kind: 'newest' }
  | { readonly kind: 'before' | 'after' | 'around'; readonly id: RecordId };

/** An entry of a timeline: a message as records show it, or a change or a note. */
export type TimelineEntry =
  | { readonly message: ShownMessage; readonly entry?: undefined }
  | { readonly entry: TimelineKey; readonly message?: undefined };

/** A page of a timeline, newest first. */
export interface TimelinePage {
  readonly businessPhoneId: RecordId;
  readonly entries: readonly TimelineEntry[];
  /** Where older entries begin; null if there are none. */
  readonly before: RecordId | null;
  /** Where newer entries begin; null if there are none. */
  readonly after: RecordId | null;
}

/** Reads a thread as one line of time: messages, changes and notes. */
@Injectable()
export class ThreadTimelineService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly phones: BusinessPhonesService,
    private readonly looks: CampaignLooks,
  ) {}

  /**
   * One page of a thread.
   *
   * @throws DomainError 404 without a conversation, or when the message is not in it; 403 when the phone belongs to another
   * account
   */
  async page(
    accountId: string,
    { contact, wabaPhoneId }: ConversationChoice,
    place: TimelinePlace,
    limit: number,
  ): Promise<TimelinePage> {
    if (wabaPhoneId !== null) await this.phones.choose(accountId, wabaPhoneId);
    const reads = this.unitOfWork.reads(accountId);
    const thread = await findThread(accountId, contact, wabaPhoneId, reads);
    if (thread === null) throw conversationNotFound(contact);
    if (place.kind === 'around' && !(await isInThread(accountId, thread, place.id, reads)))
      throw messageNotFound(place.id);
    const { keys, before, after } = await cut(accountId, thread, place, limit, reads);
    return {
      businessPhoneId: thread.businessPhoneId,
      entries: await this.entriesOf(accountId, keys, reads),
      before,
      after,
    };
  }

  private async entriesOf(accountId: string, keys: readonly TimelineKey[], db: Database): Promise<TimelineEntry[]> {
    const ids = keys.flatMap(({ kind, id }) => (kind === 'message' ? [id] : []));
    const rows = ids.length === 0 ? [] : await findMessages(accountId, ids, db);
    const messages = new Map((await shownMessages(accountId, rows, this.looks, db)).map((shown) => [shown.id, shown]));
    return keys.flatMap((key): TimelineEntry[] => {
      if (key.kind !== 'message') return [{ entry: key }];
      const message = messages.get(key.id);
      return message === undefined ? [] : [{ message }];
    });
  }
}

/** Sorts behind every id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

type CutPage = Pick<TimelinePage, 'before' | 'after'> & { readonly keys: readonly TimelineKey[] };

async function cut(
  accountId: string,
  thread: Thread,
  place: TimelinePlace,
  limit: number,
  db: Database,
): Promise<CutPage> {
  const read = async (part: TimelinePart): Promise<Side> =>
    sideOf(await findTimeline(accountId, thread, { ...part, limit: part.limit + 1 }, db), part.limit);
  const from = place.kind === 'newest' ? null : place.id;
  if (place.kind === 'newest' || place.kind === 'before') {
    const older = await read({ direction: 'older', from, inclusive: false, limit });
    // What is next to the place, and newer, lies behind the newest entry of the page.
    const after = from === null ? null : (older.keys[0]?.id ?? older.next ?? NIL_ID);
    return { keys: older.keys, before: older.next, after };
  }
  const half = place.kind === 'around' ? Math.floor(limit / 2) : limit;
  const newer = await read({ direction: 'newer', from, inclusive: false, limit: half });
  const keys = newer.keys.toReversed();
  if (place.kind === 'after') return { keys, before: keys.at(-1)?.id ?? newer.next ?? LAST_ID, after: newer.next };
  const older = await read({ direction: 'older', from, inclusive: true, limit: limit - half });
  return { keys: [...keys, ...older.keys], before: older.next, after: newer.next };
}

/** One side of a place in a timeline, in the order in which it was read. */
interface Side {
  readonly keys: readonly TimelineKey[];
  readonly next: RecordId | null;
}

function sideOf({ keys, lookedUntil }: FoundPart, limit: number): Side {
  const shown = keys.slice(0, limit);
  return { keys: shown, next: keys.length > limit ? (shown.at(-1)?.id ?? null) : lookedUntil };
}
