import { ApiProperty } from '@nestjs/swagger';
import { type EventClass, eventBody } from '../../manifest/event-manifest.js';
import { MessageRecord } from './message-record.js';

/** The body of an event about a change of a message. */
function changeEvent<Kind extends string>(kind: Kind, when: string, example: readonly string[]) {
  abstract class ChangeEvent extends eventBody(kind, { when }) {
    @ApiProperty() readonly message: MessageRecord;
    @ApiProperty({ type: [String], description: 'The fields of the record that have changed', example })
    readonly changed: readonly string[];

    constructor(before: MessageRecord, after: MessageRecord, at: Date) {
      super(at);
      this.message = after;
      this.changed = differences(before, after);
    }
  }
  return ChangeEvent;
}

/** The names of the fields in which two records differ. */
function differences(before: object, after: object): string[] {
  const [old, fresh] = [
    new Map<string, unknown>(Object.entries(before)),
    new Map<string, unknown>(Object.entries(after)),
  ];
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  return names.filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(fresh.get(name)));
}

const ONLY = 'only for webhooks that subscribe to this event or to `*`';

/** A contact edited a message. */
export class MessageEditedEvent extends changeEvent('message.edited', `A contact edited a message; ${ONLY}`, [
  'content',
  'edited_at',
]) {}

/** A contact deleted a message. */
export class MessageRevokedEvent extends changeEvent(
  'message.revoked',
  `A contact deleted a message or took a reaction back; ${ONLY}`,
  ['content', 'revoked_at'],
) {}

/** Events of changes that contacts make to their messages. */
export const MESSAGE_CHANGE_EVENTS: readonly EventClass[] = [MessageEditedEvent, MessageRevokedEvent];
