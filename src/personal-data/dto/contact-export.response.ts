import { ApiProperty } from '@nestjs/swagger';
import { SuccessResponse } from '../../http/responses.dto.js';

/** A list of rows, each with all columns of its table. */
const Rows = (description: string): PropertyDecorator =>
  ApiProperty({ type: 'array', items: { type: 'object', additionalProperties: true }, description });

/** Everything that is stored about one contact. The response is streamed, never held in memory as a whole. */
export class ContactExportResponse extends SuccessResponse {
  @ApiProperty({ type: 'object', additionalProperties: true, description: 'All columns of the contact' })
  contact: unknown;

  @Rows('Contacts that were merged into this one')
  merged_contacts: unknown[];

  @Rows('Groups of the contact, and since when it has been in them')
  groups: unknown[];

  @Rows('Conversations, with their previews')
  conversations: unknown[];

  @Rows('Who the conversations were assigned to, with notes')
  assignments: unknown[];

  @Rows('Inbound and outbound messages, with the network’s payload')
  messages: unknown[];

  @Rows('Campaigns with this contact as a recipient, and its personal template values')
  recipients: unknown[];

  @Rows('Events about the contact, with the body sent to webhooks')
  events: unknown[];

  @Rows('Deliveries of those events, each with its attempts and the receiver’s responses')
  deliveries: unknown[];

  @Rows('Network callbacks that name the contact and were not handled, or are parked until their message is known')
  callbacks: unknown[];

  @Rows('Stored responses to requests with an Idempotency-Key that name the contact')
  stored_answers: unknown[];
}
