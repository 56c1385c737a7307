import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { ContactRecord, TemplateRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { ParleyError } from '../../../../clients/typescript/src/parley-error.js';
import { isOffline } from '../../../data/connection.js';
import { failureOf, isUnanswered } from '../../../data/failure.js';
import { serverNow } from '../../../data/live.js';
import { Button } from '../../../parts/button.js';
import { Icon } from '../../../parts/icon.js';
import { MessageBubble } from '../../../parts/message-bubble.js';
import { Notice } from '../../../parts/notice.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import { inboxTemplateWords as words } from '../../../words/inbox-template.js';
import { NotBegun } from '../composer/deliver.js';
import type { FileKind } from '../composer/file-rules.js';
import { HeldByColleague } from '../composer/take-thread.js';
import { MediaField } from './media-field.js';
import type { TemplateChoice } from './template-choice.js';
import { fieldsOf } from './template-fields.js';
import { previewOf, textOf } from './template-preview.js';
import {
  type FilledTemplate,
  fieldOfDetail,
  MEDIA_ID,
  MEDIA_NAME,
  problemsOf,
  requestOf,
  type Values,
} from './template-request.js';
import { ValueField } from './value-field.js';

interface TemplateFormProps {
  readonly template: TemplateRecord;
  readonly person: ContactRecord | null;
  /** Keeps what is entered, but for files. */
  readonly filled: Signal<FilledTemplate | null> | undefined;
  readonly colleague: string | null;
  readonly onSend: (choice: TemplateChoice, takesOver: boolean) => Promise<void>;
  readonly onSent: () => void;
}

/** The files that a title takes. */
const FILES: Readonly<Record<string, FileKind>> = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' };

/** The values of a template, the message with them, and the button that sends it. */
export function TemplateForm({ template, person, filled, colleague, onSend, onSent }: TemplateFormProps) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const fields = useMemo(() => fieldsOf(template, person), []);
  const values = useSignal<Values>(
    useMemo(() => {
      const initial = Object.fromEntries(fields.map((field) => [field.name, field.initial]));
      const kept = filled?.peek();
      return kept?.template === template.id
        ? { ...initial, ...kept.values, [MEDIA_ID]: '', [MEDIA_NAME]: '' }
        : initial;
    }, []),
  );
  const problems = useSignal<ReadonlyMap<string, string>>(new Map());
  const [failure, isBusy] = [useSignal<unknown>(null), useSignal(false)];
  const inputId = (name: string): string => `${id}-${name}`;
  useEffect(() => {
    const [first] = fields.filter(({ name }) => problems.value.has(name));
    if (first !== undefined) document.getElementById(inputId(first.name))?.focus();
  }, [problems.value]);
  const enter = (more: Values): void => {
    values.value = { ...values.value, ...more };
    if (filled === undefined) return;
    const isTouched = fields.some(({ name, initial }) => values.value[name] !== initial);
    filled.value = isTouched ? { template: template.id, values: values.value } : null;
  };
  const refuse = (error: unknown): void => {
    const detail = error instanceof ParleyError && (error.status === 400 || error.status === 422) ? error.detail : null;
    const field = detail === null ? null : fieldOfDetail(detail, fields, values.value);
    if (detail !== null && field !== null) problems.value = new Map([[field, detail]]);
    else failure.value = error;
  };
  const send = async (takesOver = false): Promise<void> => {
    if (isBusy.value || isOffline.value) return;
    failure.value = null;
    problems.value = problemsOf(fields, values.value, serverNow());
    if (problems.value.size > 0) return;
    isBusy.value = true;
    const preview = textOf(previewOf(template, fields, values.value));
    const request = requestOf(template, fields, values.value);
    try {
      await onSend({ template_name: template.name, request, preview }, takesOver);
      onSent();
    } catch (error) {
      refuse(error);
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <form
      ref={form}
      class="fill"
      noValidate
      aria-label={template.name}
      onSubmit={(event) => {
        event.preventDefault();
        // The dialog around it may stand in another form.
        event.stopPropagation();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        // Enter alone sends nothing.
        event.preventDefault();
        if ((event.ctrlKey || event.metaKey) && !event.repeat) void send();
      }}
    >
      {fields.length > 0 && (
        <div class="values">
          {fields.map((field) => {
            const { name } = field;
            const shared = {
              id: inputId(name),
              field,
              value: values.value[name] ?? '',
              problem: problems.value.get(name) ?? null,
              onInput: (value: string) => enter({ [name]: value }),
            };
            const kind = name === 'media_url' ? FILES[template.header_format] : undefined;
            if (kind === undefined) return <ValueField key={name} {...shared} />;
            return (
              <MediaField
                key={name}
                {...shared}
                kind={kind}
                onFile={(file) => enter({ [MEDIA_ID]: file?.id ?? '', [MEDIA_NAME]: file?.name ?? '' })}
              />
            );
          })}
        </div>
      )}
      <MessageBubble message={previewOf(template, fields, values.value)} at={words.now} />
      <SendFailed
        error={failure.value}
        colleague={colleague}
        onTakeOver={() => {
          // The button goes away.
          form.current?.querySelector<HTMLElement>('[type="submit"]')?.focus();
          void send(true);
        }}
      />
      <Button
        isPrimary
        isBusy={isBusy.value}
        busyLabel={words.sending}
        refusal={isOffline.value ? words.offline : null}
      >
        {words.send}
      </Button>
    </form>
  );
}

interface SendFailedProps {
  readonly error: unknown;
  readonly colleague: string | null;
  readonly onTakeOver: () => void;
}

function SendFailed({ error, colleague, onTakeOver }: SendFailedProps) {
  if (error === null) return null;
  if (error instanceof HeldByColleague) {
    if (colleague === null) return null;
    const { held, takeOver } = inboxComposerWords;
    return (
      <div class="notice warn failed" role="status">
        <Icon name="alert" />
        <p class="grow">{held(colleague)}</p>
        <Button isSmall onPress={onTakeOver}>
          {takeOver}
        </Button>
      </div>
    );
  }
  if (error instanceof NotBegun) return <Notice kind="bad">{words.notSent(sentence(error.said))}</Notice>;
  if (isUnanswered(error)) return <Notice kind="warn">{words.unknown}</Notice>;
  return <Notice kind="bad">{sentence(failureOf(error).text)}</Notice>;
}

/** The API’s words as a sentence. */
const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`;
