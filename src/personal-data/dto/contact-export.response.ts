import { ApiProperty } from '@nestjs/swagger';
import { SuccessResponse } from '../../http/responses.dto.js';

/** A list of rows, each with all columns of its table. */
const Rows = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true }, description });

/** Everything that is stored about one contact. It is written in pieces, never held as a whole. */
export class ContactExportResponse extends SuccessResponse {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'All columns of the contact' })
  contact: unknown;

  @Rows('What is left of contacts that turned out to be the same person')
  merged_contacts: unknown[];

  @Rows('Groups that it is in, and since when')
  groups: unknown[];

  @Rows('Conversations, with their previews')
  conversations: unknown[];

  @Rows('Who held the conversations, and notes about it')
  assignments: unknown[];

  @Rows('Messages in and out, with what the network sent')
  messages: unknown[];

  @Rows('Campaigns that it is a recipient of, with its personal values')
  recipients: unknown[];

  @Rows('Events about it, with the text that webhooks were sent')
  events: unknown[];

  @Rows('Deliveries of those events, each with its attempts and what the receiver answered')
  deliveries: unknown[];

  @Rows('Callbacks of the network that name it and are kept without a use, or until their message is known')
  callbacks: unknown[];

  @Rows('Answers to requests with an Idempotency-Key that name it')
  stored_answers: unknown[];
}
