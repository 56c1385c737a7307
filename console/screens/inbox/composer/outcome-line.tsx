import type { ComponentChildren } from 'preact';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import { inboxComposerWords as words } from '../../../words/inbox-composer.js';
import type { Draft, Mode, Outcome } from './drafts.js';
import { firstVariable } from './reply-variables.js';

interface OutcomeLinesProps {
  readonly draft: Draft;
  /** What would be sent now. */
  readonly writes: Mode;
  /** Who else has the conversation while somebody writes. */
  readonly colleague: string | null;
  readonly onTakeOver: () => void;
  readonly onSendAsItIs: (outcome: Extract<Outcome, { kind: 'unfilled' }>) => void;
  readonly onFill: () => void;
  /** Asks what became of something. */
  readonly onAskAgain: (mode: Mode) => void;
  /** Focus goes back to the field. */
  readonly onDone: () => void;
}

const MODES: readonly Mode[] = ['message', 'note', 'template'];

/** What stands between writing and sending, or what became of it: of the text, of the note and of the template. */
export function OutcomeLines(props: OutcomeLinesProps) {
  return (
    <>
      {MODES.map((of) => (
        <OutcomeLine key={of} of={of} {...props} />
      ))}
    </>
  );
}

/** What can be sent from here is only what is written here. */
function OutcomeLine(props: OutcomeLinesProps & { readonly of: Mode }) {
  const { of, draft, writes, colleague, onTakeOver, onSendAsItIs, onFill, onAskAgain, onDone } = props;
  const outcome = draft.outcomes[of].value;
  const dismiss = (): void => {
    draft.outcomes[of].value = null;
    onDone();
  };
  const isHere = of === writes;
  const hasVariable = isHere && firstVariable(draft.message.value) !== null;
  const isWriting = isHere && of === 'message' && draft.message.value.trim() !== '';
  if (outcome === null && colleague !== null && isWriting) {
    return (
      <Line kind="warn" text={words.heldTyping(colleague)}>
        <Button isSmall onPress={onTakeOver}>
          {words.takeOver}
        </Button>
      </Line>
    );
  }
  switch (outcome?.kind) {
    case undefined:
      return null;
    case 'held':
      if (colleague === null || !isHere) return null;
      return (
        <Line kind="warn" text={words.held(colleague)}>
          <Button isSmall onPress={onTakeOver}>
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
          {of !== draft.mode.value && <Kept text={of === 'note' ? draft.note.value : draft.message.value} />}
          <Dismiss onPress={dismiss} />
        </Line>
      );
    case 'unknown':
      return (
        <UnknownLine isNote={of === 'note'} outcome={outcome} onAskAgain={() => onAskAgain(of)} onDone={dismiss} />
      );
  }
}

interface UnknownLineProps {
  readonly isNote: boolean;
  readonly outcome: Extract<Outcome, { kind: 'unknown' }>;
  readonly onAskAgain: () => void;
  readonly onDone: () => void;
}

/** Keeps the text aside: written anew, it might be sent twice. */
function UnknownLine({ isNote, outcome: { text, attempt }, onAskAgain, onDone }: UnknownLineProps) {
  const { unknown } = words;
  const said = attempt.isRepeatable ? unknown.repeatable : unknown.outdated;
  return (
    <Line kind="warn" text={isNote ? said.note : said.message}>
      <Kept text={text} />
      {attempt.isRepeatable && (
        <Button isSmall onPress={onAskAgain}>
          {unknown.again}
        </Button>
      )}
      <Button isSmall onPress={onDone}>
        {unknown.dismiss}
      </Button>
    </Line>
  );
}

/** The text that a line is about, where its field is not shown. */
function Kept({ text }: { text: string }) {
  if (text === '') return null;
  return (
    <blockquote dir="auto" aria-label={words.unknown.kept}>
      {text}
    </blockquote>
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
