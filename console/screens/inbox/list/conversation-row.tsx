import { searchWith } from '../../../frame/router.js';
import { Icon } from '../../../parts/icon.js';
import { initialsOf } from '../../../parts/initials.js';
import { inboxListWords as words } from '../../../words/inbox-list.js';
import { fullTime } from '../../../words/times.js';
import { givenName, personName } from '../person-name.js';
import type { Conversation } from '../records.js';
import { threadAddress, threadOf } from '../thread-key.js';
import type { View } from './conversations-filter.js';
import { listNow } from './list-clock.js';
import { waitOf, windowOf } from './row-facts.js';

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
  readonly view: View;
  /** Whether its thread is the open one. */
  readonly isOpen: boolean;
}

/** A conversation in the list: who, what was said last, and what it needs. */
export function ConversationRow({ conversation, view, isOpen }: ConversationRowProps) {
  const thread = threadOf(conversation);
  const { contact_name, waiting_since, last_message_at, last_message_direction, last_message_preview } = conversation;
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
        {last_message_at !== null && (
          <time dateTime={last_message_at} title={fullTime(last_message_at)}>
            {words.when(last_message_at, listNow.value)}
          </time>
        )}
      </span>{' '}
      {last_message_direction === 'out' ? (
        <span class="said cut">
          {words.you} <bdi>{last_message_preview}</bdi>
        </span>
      ) : (
        <span class="said cut" dir="auto">
          {last_message_preview}
        </span>
      )}{' '}
      <Meta conversation={conversation} view={view} />
    </>
  );
  const name = waiting_since === null ? 'conv' : 'conv waits';
  if (thread === null) return <div class={name}>{content}</div>;
  return (
    <a class={name} href={threadAddress(thread) + searchWith({})} aria-current={isOpen ? 'true' : undefined}>
      {content}
    </a>
  );
}

function Meta({ conversation, view }: { conversation: Conversation; view: View }) {
  const { last_message_direction, last_message_status, assigned_to_name } = conversation;
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
      <Window conversation={conversation} />{' '}
      {view === 'all' && (
        <span class="holder">
          <Icon name="user" />
          <span class="hide">{assigned_to_name === null ? '' : words.assigned('')}</span>
          <span class="cut" dir="auto">
            {assigned_to_name ?? words.nobody}
          </span>
        </span>
      )}
    </span>
  );
}

function Window({ conversation }: { conversation: Conversation }) {
  const state = windowOf(conversation, listNow.value);
  if (conversation.status === 'resolved') return null;
  if (state.kind === 'closed') {
    return (
      <span>
        <Icon name="lock" />
        {words.window.closed}
      </span>
    );
  }
  return (
    <span class={state.kind === 'soon' ? 'soon' : undefined}>
      <Icon name="clock" />
      {state.kind === 'soon' ? (
        words.window.soon(state.seconds)
      ) : (
        <>
          {words.window.hours(state.hours)} <span class="hide">{words.window.toWrite}</span>
        </>
      )}
    </span>
  );
}
