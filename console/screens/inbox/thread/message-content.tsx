import { Icon } from '../../../parts/icon.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import type { Message } from '../records.js';
import { CardList, FormAnswers, OrderTable, PlaceLink } from './message-cards.js';
import { MessageFile } from './message-file.js';
import { RichText } from './rich-text.js';
import { Tap } from './tap.js';
import { TemplateContent } from './template-content.js';

/** What a message says, whatever kind it is. */
export function MessageContent({ message }: { message: Message }) {
  const { content, rendered, media, location, contacts, order, interactive, buttons, list, raw } = message;
  if (rendered !== undefined) return <TemplateContent rendered={rendered} />;
  if (media !== undefined) {
    return (
      <>
        <MessageFile message={message} media={media} />
        {content !== '' && <RichText text={content} />}
      </>
    );
  }
  if (location !== undefined) return <PlaceLink place={location} />;
  if (contacts !== undefined) return <CardList cards={contacts} />;
  if (order !== undefined) return <OrderTable order={order} />;
  if (interactive !== undefined) return <Answer interactive={interactive} content={content} />;
  if (raw !== undefined) return <Unknown message={message} raw={raw} />;
  return (
    <>
      {content === '' ? <p class="words gone">{words.noText}</p> : <RichText text={content} />}
      {message.message_type === 'location_request' && <Tap icon="external" text={words.asksLocation} />}
      {buttons?.reply_buttons?.map(({ id, title }) => (
        <Tap key={id} icon="reply" text={title} />
      ))}
      {buttons?.url_button !== undefined && (
        <Tap icon="external" text={`${buttons.url_button.display_text} (${buttons.url_button.url})`} />
      )}
      {list !== undefined && <Choices list={list} />}
    </>
  );
}

function Choices({ list }: { list: NonNullable<Message['list']> }) {
  return (
    <details class="inset">
      <summary dir="auto">
        {list.button} · {words.listOf(list.sections.reduce((sum, { rows }) => sum + rows.length, 0))}
      </summary>
      <ul>
        {list.sections.flatMap(({ title, rows }, place) => [
          ...(title === undefined
            ? []
            : [
                <li key={`${place}`} class="strong" dir="auto">
                  {title}
                </li>,
              ]),
          ...rows.map((row) => (
            <li key={row.id} dir="auto">
              {row.title}
              {row.description !== undefined && <span class="dim"> · {row.description}</span>}
            </li>
          )),
        ])}
      </ul>
    </details>
  );
}

function Answer({ interactive, content }: { interactive: NonNullable<Message['interactive']>; content: string }) {
  const { type, title, description } = interactive;
  if (type === 'flow') return <FormAnswers response={interactive.response ?? null} content={content} />;
  return (
    <>
      <p class="by">
        <Icon name="check" />
        {words.chose}
      </p>
      <RichText text={title ?? content} />
      {description != null && description !== '' && (
        <p class="sm dim" dir="auto">
          {description}
        </p>
      )}
    </>
  );
}

const object = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** What Parley has no form for, in words. */
function Unknown({ message, raw }: { message: Message; raw: NonNullable<Message['raw']> }) {
  return (
    <>
      {message.content !== '' && <RichText text={message.content} />}
      <p class="words gone" dir="auto">
        {unknownText(message.message_type, raw)}
      </p>
    </>
  );
}

/** What to say about a message whose kind has no form. */
export function unknownText(type: string, raw: Readonly<Record<string, unknown>>): string {
  if (type === 'call_permission_reply') {
    const { response } = object(object(raw['interactive'])['call_permission_reply']);
    return words.calls[String(response)] ?? words.unknownKind(type);
  }
  if (type !== 'unsupported') return words.unknownKind(type.replaceAll('_', ' '));
  const { type: kind } = object(raw['unsupported']);
  return typeof kind === 'string' && kind !== 'unknown' ? words.unsupportedKind(kind) : words.unsupported;
}
