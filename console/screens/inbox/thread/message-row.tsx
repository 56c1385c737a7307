import { Icon, type IconName } from '../../../parts/icon.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import type { OpenThread } from '../open-thread.js';
import type { Message } from '../records.js';
import { authorOf, personOf } from './author.js';
import { MessageContent } from './message-content.js';
import type { OpenMenu } from './message-menu.js';
import { MessageTime } from './message-time.js';
import { clockOf } from './moments.js';
import { Origin } from './origin.js';
import { Outcome } from './outcome.js';
import { Quote } from './quote.js';
import type { ThreadTimeline } from './thread-timeline.js';
import { Ticks } from './ticks.js';

interface MessageRowProps {
  readonly id: string;
  readonly message: Message;
  /** Whether it goes on where the message above ends. */
  readonly isContinued: boolean;
  readonly thread: OpenThread;
  readonly timeline: ThreadTimeline;
  readonly openMenu: OpenMenu;
}

/** A message, and what can be done with it. */
export function MessageRow({ id, message, isContinued, thread, timeline, openMenu }: MessageRowProps) {
  const { direction, status, revoked_at, edited_at, reactions, created_at } = message;
  const isOurs = direction === 'out';
  const isGone = revoked_at !== undefined;
  const classes = ['msg', isOurs && 'out', isContinued && 'cont', status === 'failed' && 'failed'];
  return (
    <article class={isOurs ? 'entry out' : 'entry'} data-key={id} tabIndex={-1}>
      <div class="entry-line">
        <div class={classes.filter(Boolean).join(' ')}>
          <By message={message} isContinued={isContinued} />
          {isGone ? (
            <p class="words gone">{isOurs ? words.deletedByUs : words.deletedByPerson}</p>
          ) : (
            <>
              <Origin message={message} />
              <Quote message={message} timeline={timeline} />
              <MessageContent message={message} />
            </>
          )}
          <p class="end num">
            {edited_at !== undefined && !isGone && (
              <span title={words.editedAt(clockOf(edited_at))}>{words.edited}</span>
            )}
            <MessageTime at={created_at} />
            {isOurs && <Ticks status={status} />}
          </p>
        </div>
        {!isGone && (
          <button
            class="act"
            type="button"
            tabIndex={-1}
            aria-label={words.actions(authorOf(message), clockOf(created_at))}
            aria-haspopup="menu"
            onClick={({ currentTarget }) => openMenu(id, message, currentTarget)}
          >
            <Icon name="more" />
          </button>
        )}
      </div>
      {reactions.length > 0 && (
        <p class="reactions">
          {reactions.map(({ emoji, by }) => (
            <span key={by} role="img" title={words.reacted(by === 'contact' ? personOf(message) : null, emoji)}>
              {emoji}
            </span>
          ))}
        </p>
      )}
      {isOurs && <Outcome message={message} thread={thread} timeline={timeline} />}
      <Problem id={id} timeline={timeline} />
    </article>
  );
}

/** Who says it: for the eye only where that is not plain, for screen readers always. */
function By({ message, isContinued }: { message: Message; isContinued: boolean }) {
  const { direction, sent_by, template_name, campaign_name } = message;
  const author = authorOf(message);
  if (direction === 'in') return <span class="hide">{words.said(author ?? '')}</span>;
  const shown: (readonly [IconName, string])[] = [
    ...(sent_by?.source === 'phone_app' ? [['reply', words.sentFromPhone] as const] : []),
    ...(sent_by?.name != null && author !== null ? [['user', sent_by.name] as const] : []),
    ...(campaign_name === null ? [] : [['campaign', words.campaign(campaign_name)] as const]),
    ...(template_name === null || campaign_name !== null ? [] : [['template', words.template(template_name)] as const]),
  ];
  return (
    <>
      <span class="hide">{words.said(author ?? words.you)}</span>
      {!isContinued &&
        shown.map(([icon, text]) => (
          <p key={icon} class="by">
            <Icon name={icon} />
            <span dir="auto">{text}</span>
          </p>
        ))}
    </>
  );
}

function Problem({ id, timeline }: { id: string; timeline: ThreadTimeline }) {
  const text = timeline.problems.value.get(id);
  return text === undefined ? null : (
    <p class="fail" role="alert">
      {text}
    </p>
  );
}
