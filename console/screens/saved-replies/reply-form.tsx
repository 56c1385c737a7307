import { useSignal } from '@preact/signals';
import { useId, useRef } from 'preact/hooks';
import { failureOf, hasStatus } from '../../data/failure.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { Field } from '../../parts/field.js';
import { Notice } from '../../parts/notice.js';
import { settingsWords } from '../../words/inbox-settings.js';
import { forgetReply, saveReply } from './replies-api.js';
import { previewOf, type SavedReply, VARIABLES, wrongName, wrongText } from './reply-rules.js';

interface ReplyFormProps {
  /** The one to change; null for a new one. */
  readonly reply: SavedReply | null;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
}

/** Writes or changes a saved reply. What was typed stays when it is refused. */
export function ReplyForm({ reply, onClose, onSaved }: ReplyFormProps) {
  const { replies } = settingsWords;
  const id = useId();
  const [name, text] = [useSignal(reply?.name ?? ''), useSignal(reply?.text ?? '')];
  const [isTried, isBusy, isGone] = [useSignal(false), useSignal(false), useSignal(false)];
  const [taken, failure] = [useSignal<string | null>(null), useSignal<string | null>(null)];
  const [input, area] = [useRef<HTMLInputElement>(null), useRef<HTMLTextAreaElement>(null)];
  const nameError = taken.value === name.value ? replies.taken : isTried.value ? wrongName(name.value) : null;
  const textError = isTried.value ? wrongText(text.value) : null;

  const submit = async (): Promise<void> => {
    isTried.value = true;
    failure.value = null;
    if (wrongName(name.value) !== null) input.current?.focus();
    else if (wrongText(text.value) !== null) area.current?.focus();
    else if (!isBusy.peek()) await save();
  };
  const save = async (): Promise<void> => {
    isBusy.value = true;
    try {
      const fields = { name: name.value.trim(), text: text.value.trim() };
      await saveReply(isGone.value ? null : (reply?.id ?? null), fields);
      onSaved(fields.name);
    } catch (error) {
      refuse(error);
    } finally {
      isBusy.value = false;
    }
  };
  const refuse = (error: unknown): void => {
    if (hasStatus(error, 401)) return;
    if (hasStatus(error, 409) && /already exists/.test(error.detail)) {
      taken.value = name.value;
      input.current?.focus();
    } else if (hasStatus(error, 404) && reply !== null) {
      forgetReply(reply.id);
      isGone.value = true;
      failure.value = replies.gone;
    } else failure.value = failureOf(error).text;
  };
  const insert = (variable: string): void => {
    const { selectionStart = text.value.length, selectionEnd = selectionStart } = area.current ?? {};
    const inserted = `{{${variable}}}`;
    text.value = text.value.slice(0, selectionStart) + inserted + text.value.slice(selectionEnd);
    // Once the new text is drawn.
    setTimeout(() => {
      area.current?.focus();
      area.current?.setSelectionRange(selectionStart + inserted.length, selectionStart + inserted.length);
    });
  };
  return (
    <Dialog
      title={reply === null ? replies.newTitle : replies.editTitle(reply.name)}
      onClose={onClose}
      answer={
        <>
          <Button onPress={onClose}>{replies.cancel}</Button>
          <Button isPrimary isBusy={isBusy.value} busyLabel={replies.saving} onPress={() => void submit()}>
            {replies.save}
          </Button>
        </>
      }
    >
      {failure.value !== null && <Notice kind="bad">{failure.value}</Notice>}
      <Field
        label={replies.name}
        type="text"
        autocomplete="off"
        hint={replies.nameHint}
        value={name.value}
        error={nameError}
        input={input}
        onInput={(value) => {
          name.value = value;
        }}
      />
      <div class="field">
        <label for={id}>{replies.body}</label>
        <div class="in">
          <textarea
            id={id}
            ref={area}
            rows={6}
            dir="auto"
            value={text.value}
            aria-invalid={textError !== null}
            aria-describedby={`${id}-variables ${id}-wrong`}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value;
            }}
          />
        </div>
        <p class="wrong" id={`${id}-wrong`} role="alert">
          {textError}
        </p>
        <p class="hint" id={`${id}-variables`}>
          {replies.variables}
        </p>
        <div class="variables">
          {VARIABLES.map((variable) => (
            <button
              key={variable}
              class="btn sm"
              type="button"
              aria-label={replies.insert(`{{${variable}}}`)}
              onClick={() => insert(variable)}
            >
              <bdi>{`{{${variable}}}`}</bdi>
            </button>
          ))}
        </div>
      </div>
      <section class="reply-preview" aria-labelledby={`${id}-preview`}>
        <h3 id={`${id}-preview`}>
          {replies.preview} <span class="faint xs">{replies.previewText}</span>
        </h3>
        <p class="reply-text" dir="auto">
          {previewOf(text.value) || '…'}
        </p>
      </section>
    </Dialog>
  );
}
