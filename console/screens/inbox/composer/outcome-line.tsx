import type { ComponentChildren } from 'preact';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import { inboxComposerWords as words } from '../../../words/inbox-composer.js';
import type { Draft, Outcome } from './drafts.js';
import { firstVariable } from './reply-variables.js';

interface OutcomeLineProps {
  readonly draft: Draft;
  /** Who else has the conversation while somebody writes. */
  readonly colleague: string | null;
  readonly onTakeOver: (outcome: Extract<Outcome, { kind: 'held' }>) => void;
  readonly onSendAsItIs: (outcome: Extract<Outcome, { kind: 'unfilled' }>) => void;
  readonly onFill: () => void;
  /** Focus goes back to the field. */
  readonly onDone: () => void;
}

/** What stands between writing and sending, or what became of it. */
export function OutcomeLine(props: OutcomeLineProps) {
  const { draft, colleague, onTakeOver, onSendAsItIs, onFill, onDone } = props;
  const outcome = draft.outcome.value;
  const dismiss = (): void => {
    draft.outcome.value = null;
    onDone();
  };
  const hasVariable = firstVariable(draft.message.value) !== null;
  const isWriting = draft.mode.value === 'message' && draft.message.value.trim() !== '';
  if (outcome === null && colleague !== null && isWriting) {
    return (
      <Line kind="warn" text={words.heldTyping(colleague)}>
        <Button isSmall onPress={() => onTakeOver({ kind: 'held', name: colleague, choice: null })}>
          {words.takeOver}
        </Button>
      </Line>
    );
  }
  switch (outcome?.kind) {
    case undefined:
      return null;
    case 'held':
      if (colleague === null) return null;
      return (
        <Line kind="warn" text={words.held(colleague)}>
          <Button isSmall onPress={() => onTakeOver(outcome)}>
            {words.takeOver}
          </Button>
        </Line>
      );
    case 'unfilled':
      if (!hasVariable) return null;
      return (
        <Line kind="warn" text={words.replies.unfilled}>
          <Button isSmall onPress={onFill}>
            {words.replies.goTo}
          </Button>
          <Button isSmall onPress={() => onSendAsItIs(outcome)}>
            {words.replies.sendAnyway}
          </Button>
        </Line>
      );
    case 'missing':
      return hasVariable ? <Line kind="warn" text={words.replies.missing(outcome.names)} /> : null;
    case 'failed':
      return (
        <Line kind="bad" text={outcome.text} detail={outcome.requestId}>
          <Dismiss onPress={dismiss} />
        </Line>
      );
    case 'unknown':
      return <UnknownLine draft={draft} outcome={outcome} onDone={dismiss} />;
  }
}

interface UnknownLineProps {
  readonly draft: Draft;
  readonly outcome: Extract<Outcome, { kind: 'unknown' }>;
  readonly onDone: () => void;
}

/** Keeps the text aside: it may have been sent, and nothing here sends it again. */
function UnknownLine({ draft, outcome, onDone }: UnknownLineProps) {
  const { unknown } = words;
  const putBack = (): void => {
    const text = outcome.isNote ? draft.note : draft.message;
    text.value = [outcome.text, text.value].filter(Boolean).join('\n');
    onDone();
  };
  return (
    <Line kind="warn" text={outcome.isNote ? unknown.note : unknown.message}>
      <blockquote dir="auto" aria-label={unknown.kept}>
        {outcome.text}
      </blockquote>
      <Button isSmall onPress={putBack}>
        {unknown.back}
      </Button>
      <Button isSmall onPress={onDone}>
        {unknown.dismiss}
      </Button>
    </Line>
  );
}

function Dismiss({ onPress }: { onPress: () => void }) {
  return (
    <button class="btn icon quiet" type="button" aria-label={words.dismiss} onClick={onPress}>
      <Icon name="close" />
    </button>
  );
}

interface LineProps {
  readonly kind: 'warn' | 'bad';
  readonly text: string;
  readonly detail?: string | null;
  readonly children?: ComponentChildren;
}

function Line({ kind, text, detail = null, children }: LineProps) {
  return (
    <div class={`outcome ${kind}`}>
      <Icon name="alert" />
      <p role={kind === 'bad' ? 'alert' : undefined} dir="auto">
        {text}
        {detail !== null && (
          <span class="request">
            {' '}
            <bdi>{words.requestId(detail)}</bdi>
          </span>
        )}
      </p>
      {children}
    </div>
  );
}
