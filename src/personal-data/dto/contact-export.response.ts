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

  @Rows('Decisions about marketing messages, in the order in which they arrived')
  consent: unknown[];

  @Rows('Groups of the contact, and since when it has been in them')
  groups: unknown[];

  @Rows('Conversations, with their previews')
  conversations: unknown[];

  @Rows('Who the conversations were assigned to, with notes')
  assignments: unknown[];

  @Rows('Notes in the conversations and changes of their state, with notes and reasons')
  entries: unknown[];

  @Rows('Inbound and outbound messages, with the network’s payload')
  messages: unknown[];

  @Rows('Campaigns with this contact as a recipient, and its personal template values')
  recipients: unknown[];

  @Rows('Events of the contact, with the body sent to webhooks, and what other events say about it')
  events: unknown[];

  @Rows('Deliveries of its events, with their attempts and what the receivers’ responses say about the contact')
  deliveries: unknown[];

  @Rows(
    'Stored callbacks of the network that name the contact: method, path, status, field, time, and what they say about the contact',
  )
  callbacks: unknown[];

  @Rows(
    'Requests with an Idempotency-Key whose stored response names the contact: method, path, status, time, and what the ' +
      'response says about the contact. Keys, secrets and others are left out',
  )
  stored_answers: unknown[];
}
