import { useEffect, useId, useRef } from 'preact/hooks';
import { isOffline } from '../../../data/connection.js';
import { session } from '../../../data/session.js';
import { letterHint } from '../../../frame/letter-hint.js';
import { Icon } from '../../../parts/icon.js';
import { initialsOf } from '../../../parts/initials.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { inboxWorkWords } from '../../../words/inbox-work.js';
import type { Conversation } from '../records.js';
import { type Choice, ChoiceList } from './choice-list.js';
import type { Work } from './use-work.js';
import { type Agent, useAgents } from './work-api.js';

interface AssigneeProps {
  readonly conversation: Conversation;
  readonly work: Work;
  /** Whether the list is open; the header opens it by a letter. */
  readonly isOpen: boolean;
  readonly setOpen: (isOpen: boolean) => void;
  readonly onHandOver: () => void;
}

/** Who has a conversation, and the list of those who could. */
export function Assignee({ conversation, work, isOpen, setOpen, onHandOver }: AssigneeProps) {
  const { assignee } = inboxWorkWords;
  const id = useId();
  const [button, popup] = [useRef<HTMLButtonElement>(null), useRef<HTMLDivElement>(null)];
  const me = session.value?.user.user_id;
  const { assigned_to } = conversation;
  const shown = assigned_to === null ? assignee.nobody : assigned_to === me ? assignee.you : nameOf(conversation);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    const outside = ({ target }: Event): void => {
      const isInside = target instanceof Node && (popup.current?.contains(target) || button.current?.contains(target));
      if (isInside !== true) setOpen(false);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what is open, wherever focus is in it
    <div
      class="menu assignee"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.preventDefault();
        event.stopPropagation();
        close();
      }}
    >
      <button
        ref={button}
        class="btn"
        type="button"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        {...letterHint(assignee.assign, 'a')}
        aria-label={assignee.button(shown)}
        aria-disabled={isOffline.value ? 'true' : undefined}
        onClick={() => {
          if (!isOffline.value) setOpen(!isOpen);
        }}
      >
        <span>
          {assigned_to === null ? (
            <Icon name="user" />
          ) : (
            // By the style sheet: as a text it would be part of the button’s label.
            <span
              class={assigned_to === me ? 'avatar me' : 'avatar'}
              data-initials={initialsOf(assigned_to === me ? (session.value?.user.full_name ?? '') : shown)}
              aria-hidden="true"
            />
          )}
          <span class="t cut" dir="auto">
            {shown}
          </span>
          <Icon name="down" />
        </span>
      </button>
      {isOpen && (
        <div class="menu-list at-end" id={id} ref={popup}>
          <People
            conversation={conversation}
            onClose={close}
            onChoose={(agent) => {
              close();
              if (agent?.user_id !== (assigned_to ?? undefined)) {
                void (agent === null ? work.release() : work.assignTo(agent));
              }
            }}
          />
          <button
            class="menu-more"
            type="button"
            onClick={() => {
              close();
              onHandOver();
            }}
          >
            {assignee.withNote}
          </button>
        </div>
      )}
    </div>
  );
}

interface PeopleProps {
  readonly conversation: Conversation;
  readonly onClose: () => void;
  readonly onChoose: (agent: Agent | null) => void;
}

function People({ conversation, onClose, onChoose }: PeopleProps) {
  const { assignee } = inboxWorkWords;
  const agents = useAgents().value;
  if (agents.data === undefined) {
    if (agents.error === null) return <p class="menu-said dim sm">{assignee.loading}</p>;
    return <LoadFailed what={assignee.failed} error={agents.error} retry={() => agents.refetch()} />;
  }
  const me = session.value?.user.user_id;
  const choices: Choice[] = [
    ...agents.data.map(({ user_id, full_name }) => ({
      id: user_id,
      label: user_id === me ? assignee.you : full_name,
      isChosen: user_id === conversation.assigned_to,
    })),
    { id: '', label: assignee.nobody, isChosen: conversation.assigned_to === null },
  ];
  return (
    <ChoiceList
      label={assignee.list}
      choices={choices}
      onClose={onClose}
      onChoose={(id) => onChoose(agents.data.find(({ user_id }) => user_id === id) ?? null)}
    />
  );
}

const nameOf = ({ assigned_to_name }: Conversation): string => assigned_to_name ?? inboxWorkWords.outcome.somebody;
