import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { fullName } from '../../people/contact-name.js';
import type { Pricing } from '../message.entity.js';
import { FROM_PHONE_APP } from '../message-status.js';
import { RecordParts } from '../sent-parts.js';
import { timelineOf } from './message-timeline.js';
import type { ShownMessage } from './shown-message.js';

/** A status a message reached, and when. */
export class TimelineEntry {
  @ApiProperty()
  status: string;

  @ApiProperty({ format: 'date-time' })
  at: string;
}

/** The network's pricing of a message, in its own terms. */
export class MessagePricing {
  @ApiProperty({ type: String, nullable: true, example: 'utility' })
  category: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'PMP' })
  pricing_model: string | null;

  @ApiProperty({ type: Boolean, nullable: true })
  billable: boolean | null;

  @ApiProperty({ type: String, nullable: true, example: 'regular' })
  type: string | null;

  static from({ category, pricing_model, billable, type }: Pricing): MessagePricing {
    return {
      category: category ?? null,
      pricing_model: pricing_model ?? null,
      billable: billable ?? null,
      type: type ?? null,
    };
  }
}

/** Who sent a message of ours. */
export class SentByField {
  @ApiProperty({ type: String, nullable: true, example: null, description: 'The agent; null for the phone app' })
  user_id: string | null;

  @ApiProperty({ type: String, nullable: true, example: null })
  name: string | null;

  @ApiProperty({
    enum: ['api', 'manual', 'phone_app'],
    description:
      '`api`: with this API, for an agent; `manual`: the agent, in the console; `phone_app`: with the app of the network, ' +
      'on the business phone',
  })
  source: 'api' | 'manual' | 'phone_app';

  /** Null when nobody is known to have written it. */
  static from({ seen, agentUserId, agentName, byPerson }: ShownMessage): SentByField | null {
    if ((seen & FROM_PHONE_APP) !== 0) return { user_id: null, name: null, source: 'phone_app' };
    if (agentUserId === null) return null;
    return { user_id: agentUserId, name: agentName, source: byPerson === true ? 'manual' : 'api' };
  }
}

/** An emoji on a message. */
export class ReactionField {
  @ApiProperty({ example: '👍' })
  emoji: string;

  @ApiProperty({ enum: ['contact', 'business'] })
  by: 'contact' | 'business';

  @ApiProperty({ format: 'date-time' })
  at: string;
}

/** A message as the API returns it. */
export class MessageRecord extends RecordParts {
  @ApiProperty({ format: 'uuid' })
  message_id: string;

  @ApiProperty({ enum: ['in', 'out'] })
  direction: 'in' | 'out';

  @ApiProperty({ format: 'uuid' })
  contact_id: string;

  @ApiProperty({ type: String, nullable: true, description: 'Digits; null if the contact hides their number' })
  contact_phone: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description:
      'The network’s id of the contact; present only if there is no phone number. Null if the contact was erased',
  })
  contact_user_id?: string | null;

  @ApiProperty()
  contact_name: string;

  @ApiProperty({ format: 'uuid' })
  waba_phone_id: string;

  @ApiProperty()
  message_type: string;

  @ApiProperty({ description: 'The text as the recipient reads it; a one-time code is shown as `•`' })
  content: string;

  @ApiProperty({
    type: [ReactionField],
    description: 'The emojis that are on the message now, one of each side at most, the latest first',
  })
  reactions: ReactionField[];

  @ApiProperty({ type: String, nullable: true })
  template_name: string | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  campaign_id: string | null;

  @ApiProperty({ type: String, nullable: true })
  campaign_name: string | null;

  @ApiProperty({ description: '`received` for inbound messages' })
  status: string;

  @ApiProperty({ type: String, nullable: true, description: 'The network’s own id' })
  network_message_id: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  error_code: number | null;

  @ApiProperty({ type: String, nullable: true, description: 'Human-readable' })
  error_message: string | null;

  @ApiProperty({
    type: MessagePricing,
    nullable: true,
    description: 'What the network charges; null until a status report contains it',
  })
  pricing: MessagePricing | null;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'Since when the network holds the message back to check its quality; absent unless it does',
  })
  held_since?: string;

  @ApiProperty({ type: [TimelineEntry] })
  timeline: TimelineEntry[];

  @ApiProperty({ format: 'date-time', description: 'Of a received message, when it was sent' })
  created_at: string;

  @ApiPropertyOptional({ type: String, format: 'date-time', description: 'When it was last edited; absent if never' })
  edited_at?: string;

  @ApiPropertyOptional({
    type: String,
    format: 'date-time',
    description: 'When its sender deleted it, or took the reaction back; absent if never. Nothing of it is left',
  })
  revoked_at?: string;

  @ApiPropertyOptional({
    type: SentByField,
    description: 'Who wrote it; absent for received messages, and for sends that named no agent',
  })
  sent_by?: SentByField;

  @ApiPropertyOptional({
    example: 'order-4711',
    description: 'Your own name of the message; absent if the send gave none',
  })
  reference?: string;

  static from(row: ShownMessage): MessageRecord {
    const sentBy = SentByField.from(row);
    return {
      message_id: row.id,
      direction: row.direction,
      contact_id: row.contactId,
      contact_phone: row.contactPhone,
      ...(row.contactPhone === null ? { contact_user_id: row.contactUserId } : {}),
      contact_name: fullName(row),
      waba_phone_id: row.businessPhoneId,
      message_type: row.messageType,
      content: row.content,
      ...row.parts,
      reactions: row.reactions.map(({ emoji, by, at }) => ({ emoji, by, at: at.toISOString() })),
      template_name: row.templateName,
      campaign_id: row.campaignId,
      campaign_name: row.campaignName,
      status: row.status,
      network_message_id: row.networkMessageId,
      error_code: row.errorCode,
      error_message: row.errorMessage,
      pricing: row.pricing === null ? null : MessagePricing.from(row.pricing),
      ...(row.status === 'accepted' && row.acceptedAt !== null ? { held_since: row.acceptedAt.toISOString() } : {}),
      timeline: timelineOf(row).map(({ status, at }) => ({ status, at: at.toISOString() })),
      created_at: row.createdAt.toISOString(),
      ...(row.editedAt === null ? {} : { edited_at: row.editedAt.toISOString() }),
      ...(row.revokedAt === null ? {} : { revoked_at: row.revokedAt.toISOString() }),
      ...(sentBy === null ? {} : { sent_by: sentBy }),
      ...(row.reference === null ? {} : { reference: row.reference }),
    };
  }
}
