import { searchWith } from '../../../frame/router.js';
import { Icon } from '../../../parts/icon.js';
import { initialsOf } from '../../../parts/initials.js';
import { inboxListWords as words } from '../../../words/inbox-list.js';
import { fullTime } from '../../../words/times.js';
import { givenName, personName } from '../person-name.js';
import type { Conversation } from '../records.js';
import { threadAddress, threadOf } from '../thread-key.js';
import { type Begun, useBegun } from './begun.js';
import type { ConversationsFilter } from './conversations-filter.js';
import { listNow } from './list-clock.js';
import { waitOf, windowOf, wroteAt } from './row-facts.js';

const TICKS: Readonly<Record<string, 'check' | 'checks' | 'clock' | 'alert'>> = {
  pending: 'clock',
  accepted: 'clock',
  sent: 'check',
  delivered: 'checks',
  read: 'checks',
  clicked: 'checks',
  failed: 'alert',
};

interface ConversationRowProps {
  readonly conversation: Conversation;
  readonly filter: ConversationsFilter;
  /** Whether its thread is the open one. */
  readonly isOpen: boolean;
}

/** A conversation in the list: who, what was said last, and what it needs. */
export function ConversationRow({ conversation, filter, isOpen }: ConversationRowProps) {
  const thread = threadOf(conversation);
  const { contact_name, waiting_since } = conversation;
  // What somebody writes at the moment stands beside the list already.
  const begun = useBegun(isOpen ? null : thread);
  const given = givenName(contact_name);
  const content = (
    <>
      <span class="avatar" aria-hidden="true">
        {initialsOf(given ?? '') || <Icon name="user" />}
      </span>
      <span class="who cut" dir={given === null ? undefined : 'auto'}>
        {given ?? <bdi class="num">{personName(conversation)}</bdi>}
      </span>{' '}
      <span class="when num">
        <When conversation={conversation} filter={filter} />
      </span>{' '}
      {begun === null ? <Said conversation={conversation} /> : <Written begun={begun} />}{' '}
      <Meta conversation={conversation} filter={filter} />
    </>
  );
  const name = waiting_since === null ? 'conv' : 'conv waits';
  if (thread === null) return <div class={name}>{content}</div>;
  return (
    // Which one Tab reaches is set on the element.
    <a
      class={name}
      href={threadAddress(thread) + searchWith({})}
      tabIndex={-1}
      aria-current={isOpen ? 'true' : undefined}
    >
      {content}
    </a>
  );
}

/** A time that fits the order of the list: where that is of what people wrote, it is none of what was sent to them. */
function When({ conversation, filter }: Pick<ConversationRowProps, 'conversation' | 'filter'>) {
  const wrote = filter.order === 'last_inbound' ? wroteAt(conversation) : null;
  const at = wrote ?? conversation.last_message_at;
  if (at === null) return null;
  return (
    <time dateTime={at} title={wrote === null ? fullTime(at) : `${words.wrote} ${fullTime(at)}`}>
      {wrote !== null && <span class="hide">{words.wrote} </span>}
      {words.when(at, listNow.value)}
    </time>
  );
}

function Written({ begun: { kind, text } }: { begun: Begun }) {
  const isLost = kind === 'refused' || kind === 'unknown';
  return (
    <span class="said cut">
      <span class={isLost ? 'failed' : 'strong'}>{words.begun[kind]}</span> <bdi>{text}</bdi>
    </span>
  );
}

function Said({ conversation }: { conversation: Conversation }) {
  const { last_message_direction, last_message_status, last_message_preview, waiting_since } = conversation;
  // Below stands how long they wait, not what became of the answer.
  const isLost = last_message_status === 'failed' && waiting_since !== null;
  return last_message_direction === 'out' ? (
    <span class="said cut">
      {isLost ? <span class="failed">{words.lost}</span> : words.you} <bdi>{last_message_preview}</bdi>
    </span>
  ) : (
    <span class="said cut" dir="auto">
      {last_message_preview}
    </span>
  );
}

function Meta({ conversation, filter }: Pick<ConversationRowProps, 'conversation' | 'filter'>) {
  const { last_message_direction, last_message_status } = conversation;
  const waits = waitOf(conversation, listNow.value);
  const status = last_message_direction === 'out' ? (last_message_status ?? '') : '';
  const tick = TICKS[status];
  return (
    <span class="meta num">
      {waits !== null ? (
        <span class="hot">{words.waiting(waits)}</span>
      ) : (
        tick !== undefined && (
          <span class={`ticks ${status}`}>
            <Icon name={tick} />
            {words.statuses[status]}
          </span>
        )
      )}{' '}
      <Window conversation={conversation} /> {filter.view === 'all' && <Holder name={conversation.assigned_to_name} />}
    </span>
  );
}

/** Who has it, as short as can be; nothing to look at where nobody has. */
function Holder({ name }: { name: string | null }) {
  if (name === null) return <span class="hide">{words.nobody}</span>;
  return (
    <span class="holder" title={words.assigned(name)}>
      <span class="hide">{words.assigned(name)}</span>
      <span aria-hidden="true">{initialsOf(name) || <Icon name="user" />}</span>
    </span>
  );
}

function Window({ conversation }: { conversation: Conversation }) {
  const state = windowOf(conversation, listNow.value);
  if (conversation.status === 'resolved') return null;
  if (state.kind === 'closed') {
    return (
      <span class="window">
        <Icon name="lock" />
        <span class="cut">{words.window.closed}</span>
      </span>
    );
  }
  return (
    <span class={state.kind === 'soon' ? 'window soon' : 'window'}>
      <Icon name="clock" />
      <span class="cut">
        {state.kind === 'soon' ? words.window.soon(state.seconds) : words.window.hours(state.hours)}
      </span>
      <span class="hide"> {words.window.toWrite}</span>
    </span>
  );
}
