import { Injectable } from '@nestjs/common';
import { BusinessPhonesService } from '../accounts/business-phones.service.js';
import type { ConversationFilter } from '../conversations/conversation-filter.js';
import { ConversationReaderService } from '../conversations/conversation-reader.service.js';
import { ConversationRecord } from '../conversations/dto/conversation.dto.js';
import { BackgroundUnitOfWork } from '../database/unit-of-work.js';
import { isRecordId } from '../values/record-id.js';
import { newestEvents } from './account-marks.queries.js';
import { LiveTopic, type Watched } from './live-topic.js';

const VIEWS = ['mine', 'unassigned', 'all', 'resolved'] as const;
const ORDERS = ['last_inbound', 'longest_waiting'] as const;
const PARAMETERS: readonly string[] = ['order', 'waba_phone_id'];
/** Conversations that a state has. */
const ROWS = 50;

type View = (typeof VIEWS)[number];
type Order = (typeof ORDERS)[number];

/** What a subject names. */
interface Inbox {
  readonly view: View;
  readonly order: Order;
  readonly phoneId: string | null;
}

/** The first conversations of a list of the inbox: of people who have written. */
@Injectable()
export class InboxTopic extends LiveTopic {
  readonly name = 'inbox';
  readonly event = 'rows';
  readonly scopes = ['conversations:read'] as const;
  override readonly form = `<${VIEWS.join('|')}>?order=<${ORDERS.join('|')}>&waba_phone_id=<id>`;
  readonly everyMs = 500;
  override readonly idleMs = 500;
  override readonly readsApart = true;

  constructor(
    private readonly unitOfWork: BackgroundUnitOfWork,
    private readonly conversations: ConversationReaderService,
    private readonly phones: BusinessPhonesService,
  ) {
    super();
  }

  override readSubject(text: string): string | null {
    return inboxOf(text) === null ? null : text;
  }

  override keyOf({ accountId, userId, subject }: Watched): string {
    const isPersonal = inboxOf(String(subject))?.view === 'mine';
    return `${accountId} ${isPersonal ? userId : ''} ${subject}`;
  }

  override async requireSubject(accountId: string, subject: string): Promise<void> {
    const phoneId = inboxOf(subject)?.phoneId ?? null;
    if (phoneId !== null) await this.phones.choose(accountId, phoneId);
  }

  /** Whatever moves a conversation is an event of the account. */
  override marks(watched: readonly Watched[]): Promise<readonly (string | null)[]> {
    return newestEvents(
      watched.map(({ accountId }) => accountId),
      this.unitOfWork.autocommit,
    );
  }

  read(watched: readonly Watched[]): Promise<(object | null)[]> {
    return Promise.all(
      watched.map(async ({ accountId, userId, subject }) => {
        const inbox = inboxOf(String(subject));
        if (inbox === null) return null;
        const page = { page: 1, limit: ROWS };
        const { rows, total } = await this.conversations.list(accountId, filterOf(inbox, userId), page);
        const conversations = rows.map((row) => ConversationRecord.from(row));
        return { topic: `${this.name}:${subject}`, conversations, total };
      }),
    );
  }
}

/** Null for text of another form. */
function inboxOf(text: string): Inbox | null {
  const [name = '', query = '', ...more] = text.split('?');
  const view = VIEWS.find((one) => one === name);
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  const isKnown = names.every((one) => PARAMETERS.includes(one)) && new Set(names).size === names.length;
  const order = ORDERS.find((one) => one === (parameters.get('order') ?? ORDERS[0]));
  const phoneId = parameters.get('waba_phone_id');
  const isPhone = phoneId === null || isRecordId(phoneId);
  return view !== undefined && order !== undefined && isKnown && isPhone && more.length === 0
    ? { view, order, phoneId }
    : null;
}

const filterOf = ({ view, order, phoneId }: Inbox, userId: string): ConversationFilter => ({
  status: view === 'resolved' ? 'resolved' : 'open',
  assignedTo: view === 'mine' ? userId : null,
  unassigned: view === 'unassigned' ? true : null,
  hasInbound: true,
  businessPhoneId: phoneId,
  order,
});
