import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { session } from '../../../data/session.js';
import { Button } from '../../../parts/button.js';
import { Dialog } from '../../../parts/dialog.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { Notice } from '../../../parts/notice.js';
import { Skeleton } from '../../../parts/skeleton.js';
import { inboxWorkWords } from '../../../words/inbox-work.js';
import { personName } from '../person-name.js';
import type { Conversation } from '../records.js';
import type { Work } from './use-work.js';
import { useAgents } from './work-api.js';

/** Characters of a note, as the API counts them. */
const MAX_NOTE = 2000;

interface HandOverProps {
  readonly conversation: Conversation;
  readonly work: Work;
  readonly onClose: () => void;
}

/** Hands a conversation to a colleague, with a note for them. What was typed stays when it is refused. */
export function HandOver({ conversation, work, onClose }: HandOverProps) {
  const { handOver, assignee } = inboxWorkWords;
  const id = useId();
  const agents = useAgents().value;
  const [whom, note, wrong] = [useSignal(''), useSignal(''), useSignal<'whom' | 'note' | null>(null)];
  const [select, area] = [useRef<HTMLSelectElement>(null), useRef<HTMLTextAreaElement>(null)];
  const length = [...note.value.trim()].length;
  const others = agents.data?.filter(({ user_id }) => user_id !== conversation.assigned_to) ?? [];

  const submit = async (): Promise<void> => {
    const agent = others.find(({ user_id }) => user_id === whom.value);
    wrong.value = agent === undefined ? 'whom' : length > MAX_NOTE ? 'note' : null;
    if (wrong.value === 'whom') select.current?.focus();
    else if (wrong.value === 'note') area.current?.focus();
    if (agent === undefined || wrong.value !== null) return;
    if (await work.assignTo(agent, note.value.trim() || null)) onClose();
  };
  return (
    <Dialog
      title={handOver.title(personName(conversation))}
      onClose={onClose}
      answer={
        <>
          <Button onPress={onClose}>{handOver.cancel}</Button>
          <Button isPrimary isBusy={work.isBusy} busyLabel={handOver.busy} onPress={() => void submit()}>
            {handOver.submit}
          </Button>
        </>
      }
    >
      {work.outcome.value !== null && <Notice kind={work.outcome.value.kind}>{work.outcome.value.text}</Notice>}
      {agents.data === undefined ? (
        agents.error === null ? (
          <Skeleton rows={2} />
        ) : (
          <LoadFailed what={assignee.failed} error={agents.error} retry={() => agents.refetch()} />
        )
      ) : (
        <div class="field">
          <label for={`${id}-whom`}>{handOver.whom}</label>
          <div class="in">
            <select
              id={`${id}-whom`}
              ref={select}
              value={whom.value}
              aria-invalid={wrong.value === 'whom'}
              aria-describedby={`${id}-whom-wrong`}
              onInput={({ currentTarget }) => {
                whom.value = currentTarget.value;
              }}
            >
              <option value="">{handOver.choose}</option>
              {others.map(({ user_id, full_name }) => (
                <option key={user_id} value={user_id}>
                  {user_id === session.value?.user.user_id ? assignee.you : full_name}
                </option>
              ))}
            </select>
          </div>
          <p class="wrong" id={`${id}-whom-wrong`} role="alert">
            {wrong.value === 'whom' ? handOver.nobody : null}
          </p>
        </div>
      )}
      <div class="field">
        <label for={`${id}-note`}>{handOver.note}</label>
        <div class="in">
          <textarea
            id={`${id}-note`}
            ref={area}
            rows={4}
            dir="auto"
            value={note.value}
            aria-invalid={length > MAX_NOTE}
            aria-describedby={`${id}-hint ${id}-wrong`}
            onInput={({ currentTarget }) => {
              note.value = currentTarget.value;
            }}
          />
        </div>
        <p class="hint" id={`${id}-hint`}>
          {handOver.hint}
        </p>
        <p class="wrong" id={`${id}-wrong`} role="alert">
          {length > MAX_NOTE ? handOver.tooLong(length, MAX_NOTE) : null}
        </p>
      </div>
    </Dialog>
  );
}
