import type { ChangeRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';

/** Nobody in person. */
const SYSTEM = 'system';

/**
 * A change of the conversation, in words.
 *
 * @param me the user who reads it
 */
export function changeText(change: ChangeRecord, me: string | null): string {
  const { kind, actor, assigned_to, assigned_to_name, previous_assignee_id, previous_assignee_name } = change;
  const isAutomatic = actor.user_id === SYSTEM || actor.source.startsWith('auto_');
  const text = words.changed({
    kind,
    actor: isAutomatic ? null : actor.name,
    isMine: actor.user_id === me,
    assignee: assigned_to === null ? null : assigned_to_name,
    isToMe: assigned_to !== null && assigned_to === me,
    isToActor: assigned_to === actor.user_id,
    previous: previous_assignee_id === null ? null : previous_assignee_name,
    isFromMe: previous_assignee_id !== null && previous_assignee_id === me,
  });
  const why = change.note ?? change.reason;
  return why === null || why === '' ? text : words.withReason(text, why);
}
