import { Injectable } from '@nestjs/common';
import { ConversationReaderService } from '../conversations/conversation-reader.service.js';
import type { ConversationChoice } from '../conversations/conversations.service.js';
import { ConversationRecord } from '../conversations/dto/conversation.dto.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { DomainError } from '../errors/domain-error.js';
import { TimelineEntryRecord } from '../messages/dto/thread-timeline.dto.js';
import { ThreadTimelineService } from '../messages/history/thread-timeline.service.js';
import { readContactRef } from '../people/contact-ref.js';
import { isRecordId } from '../values/record-id.js';
import { LiveTopic, type Watched } from './live-topic.js';
import { markThreads } from './thread-marks.queries.js';

/** Entries that a state has, the newest ones. */
const ENTRIES = 50;

/** One thread: its conversation, and the newest messages, notes and changes. */
@Injectable()
export class ThreadTopic extends LiveTopic {
  readonly name = 'thread';
  readonly event = 'timeline';
  readonly scopes = ['conversations:read'] as const;
  override readonly form = '<contact_phone>:<waba_phone_id>';
  readonly everyMs = 500;
  override readonly idleMs = 500;
  override readonly readsApart = true;

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly conversations: ConversationReaderService,
    private readonly timelines: ThreadTimelineService,
  ) {
    super();
  }

  override readSubject(text: string): string | null {
    return threadOf(text) === null ? null : text;
  }

  override async requireSubject(accountId: string, subject: string): Promise<void> {
    const thread = threadOf(subject);
    if (thread !== null) await this.conversations.get(accountId, thread);
  }

  override marks(watched: readonly Watched[]): Promise<readonly (string | null)[]> {
    const threads = watched.map(({ accountId, subject }) => {
      const { contact, wabaPhoneId = null } = threadOf(String(subject)) ?? {};
      return { accountId, contact, businessPhoneId: wabaPhoneId };
    });
    return markThreads(threads, this.unitOfWork.autocommit);
  }

  read(watched: readonly Watched[]): Promise<(object | null)[]> {
    return Promise.all(
      watched.map(async ({ accountId, subject }) => {
        const thread = threadOf(String(subject));
        return thread && { topic: `${this.name}:${subject}`, ...(await this.stateOf(accountId, thread)) };
      }),
    );
  }

  private async stateOf(accountId: string, thread: ConversationChoice): Promise<object | null> {
    try {
      const conversation = await this.conversations.get(accountId, thread);
      const { entries } = await this.timelines.page(accountId, thread, { kind: 'newest' }, ENTRIES);
      return {
        conversation: ConversationRecord.from(conversation),
        entries: entries.map((entry) => TimelineEntryRecord.from(entry)),
      };
    } catch (error) {
      // Its person was erased, or is somebody else by now.
      if (error instanceof DomainError && error.code === 'not_found') return null;
      throw error;
    }
  }
}

/** Null for text of another form. */
function threadOf(text: string): (ConversationChoice & { readonly wabaPhoneId: string }) | null {
  const colon = text.lastIndexOf(':');
  const [contact, wabaPhoneId] = [readContactRef(text.slice(0, Math.max(0, colon))), text.slice(colon + 1)];
  return contact !== null && isRecordId(wabaPhoneId) ? { contact, wabaPhoneId } : null;
}
