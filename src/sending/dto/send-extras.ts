import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { Caller } from '../../auth/caller.js';
import { Id, Optional, Text } from '../../http/field-rules.js';
import type { RecordId } from '../../values/record-id.js';
import type { SendExtras } from '../single/send-extras.service.js';

/** Characters of a caller's own name of a message. */
export const MAX_REFERENCE = 255;

/** The fields that sends of every kind take. */
export interface ExtraFields {
  readonly reply_to?: string;
  readonly agent_user_id?: string;
  readonly reference?: string;
}

export const ReplyTo = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      description: 'A message of the conversation of the last 30 days, of either side, that this one quotes',
    }),
    Optional(),
    Id(),
  );

export const AgentUserId = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ description: 'The `user_id` of the active agent who wrote it; the record shows them in `sent_by`' }),
    Optional(),
    Id(),
  );

export const Reference = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({
      description: 'Your own name of the message: on its record, and in events about it and its answers',
      example: 'order-4711',
    }),
    Optional(),
    Text({ max: MAX_REFERENCE, blank: true }),
  );

/** The extras of a send. What a person sends in the console, they wrote. */
export function extrasOf({ reply_to, agent_user_id, reference }: ExtraFields, caller: Caller): SendExtras {
  const person = caller.by.kind === 'user' ? (caller.userId as RecordId) : null;
  const agentUserId = agent_user_id ?? person;
  return {
    replyTo: reply_to ?? null,
    agentUserId,
    byPerson: person !== null && agentUserId === person,
    reference: reference ?? null,
  };
}
