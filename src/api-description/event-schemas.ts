import { EVENT_KINDS, type EventKind } from '../outbox/event.js';
import type { Schema } from './open-api.js';

const text = (description?: string): Schema => ({
  type: 'string',
  ...(description === undefined ? {} : { description }),
});
const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema['type'], 'null'] });
const id = (description?: string): Schema => ({ ...text(description), format: 'uuid' });
const yesNo = (description?: string): Schema => ({ ...text(description), type: 'boolean' });

/** An object whose fields are always present, except those named in `optional`. */
const object = (properties: Record<string, Schema>, optional: readonly string[] = []): Schema => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

const NAIVE = text('UTC, without an offset: `2026-01-31T09:30:00.000`');
const OFFSET: Schema = { ...text('UTC'), format: 'date-time' };
const CONTACT: Record<string, Schema> = {
  contact_phone: orNull(text('Digits; null for people who hide their number')),
  contact_user_id: text('The network’s id of the contact; only where there is no number'),
};
const NAMED = { ...CONTACT, contact_name: text() };
const HIDDEN = ['contact_user_id'];

const event = (kind: string, properties: Record<string, Schema>, timestamp = NAIVE): Schema =>
  object({ event: { type: 'string', enum: [kind] }, timestamp, ...properties });

const CAMPAIGN: Record<string, Schema> = {
  campaign_id: orNull(id('Null for a message that belongs to no campaign')),
  campaign_name: orNull(text()),
};

const statusEvent = (kind: EventKind): Schema =>
  event(kind, {
    ...CAMPAIGN,
    message: object(
      {
        message_id: id(),
        ...NAMED,
        status: { type: 'string', enum: [kind.replace('message.', '')] },
        previous_status: text('The status before'),
        status_timestamp: { ...NAIVE, description: 'When the network says it happened; UTC, without an offset' },
        ...(kind === 'message.failed'
          ? {
              error_message: text('In plain words'),
              error_code: { type: 'integer', description: 'From 900001 on Parley’s own, else the network’s' },
            }
          : {}),
      },
      HIDDEN,
    ),
  });

const conversationEvent = (kind: EventKind): Schema =>
  event(
    kind,
    {
      conversation: object(
        {
          ...CONTACT,
          waba_phone_id: id(),
          status: { type: 'string', enum: ['open', 'resolved'] },
          assigned_to: orNull(text('`user_id` of the agent')),
          assigned_to_name: orNull(text()),
          previous_assignee_id: orNull(text()),
          previous_assignee_name: orNull(text()),
          is_reassignment: yesNo(),
          note: orNull(text('Of an assignment')),
          reason: orNull(text('Of a resolution')),
          actor: object({
            user_id: text('`system` for automatic changes'),
            name: text(),
            source: { type: 'string', enum: ['manual', 'api', 'auto_inbound', 'auto_reply', 'auto_reopen'] },
          }),
        },
        HIDDEN,
      ),
    },
    OFFSET,
  );

const MESSAGE_TYPE = text('Such as `text`, `image` or `button_reply`; the network may add others');

/** The body of each event. */
const SCHEMA_OF: Readonly<Record<EventKind | 'webhook.test', Schema>> = {
  'message.sent': statusEvent('message.sent'),
  'message.delivered': statusEvent('message.delivered'),
  'message.read': statusEvent('message.read'),
  'message.failed': statusEvent('message.failed'),
  'button.clicked': event('button.clicked', {
    ...CAMPAIGN,
    message: object({ message_id: id('The message whose button was tapped'), ...NAMED }, HIDDEN),
    button: object({ id: text(), text: text(), type: { type: 'string', enum: ['quick_reply'] } }),
  }),
  'message.received': event('message.received', {
    message: object(
      {
        message_id: id(),
        ...NAMED,
        content: text('The text, caption, title or emoji; empty for anything else'),
        message_type: MESSAGE_TYPE,
        timestamp: NAIVE,
        waba_phone_id: id(),
        is_reply: yesNo('Whether `message.reply` comes with it'),
        is_from_ad: yesNo('Whether the contact came from an advertisement'),
      },
      HIDDEN,
    ),
  }),
  'message.reply': event('message.reply', {
    ...CAMPAIGN,
    original_message: object({ message_id: id(), ...NAMED, sent_at: NAIVE }, HIDDEN),
    reply: object(
      { message_id: id(), ...NAMED, content: text(), message_type: MESSAGE_TYPE, timestamp: NAIVE },
      HIDDEN,
    ),
  }),
  'conversation.assigned': conversationEvent('conversation.assigned'),
  'conversation.unassigned': conversationEvent('conversation.unassigned'),
  'conversation.resolved': conversationEvent('conversation.resolved'),
  'conversation.reopened': conversationEvent('conversation.reopened'),
  'webhook.test': event('webhook.test', {}),
};

/** Every kind that an endpoint can receive. */
export const DELIVERED_KINDS = [...EVENT_KINDS, 'webhook.test'] as const;

/** `message.sent` becomes `MessageSentEvent`. */
export const eventSchemaName = (kind: string): string =>
  `${kind.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;

/** The component schemas of all events. */
export const EVENT_SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  DELIVERED_KINDS.map((kind) => [eventSchemaName(kind), SCHEMA_OF[kind]]),
);
