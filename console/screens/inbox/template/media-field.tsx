import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { inboxTemplateWords as words } from '../../../words/inbox-template.js';
import { percent } from '../../../words/numbers.js';
import { type AttachedFile, attach, discard } from '../composer/attached-file.js';
import type { FileKind } from '../composer/file-rules.js';
import { ValueField, type ValueFieldProps } from './value-field.js';

interface MediaFieldProps extends ValueFieldProps {
  /** What may be chosen. */
  readonly kind: FileKind;
  /** The file that was uploaded, by its id and name; null takes it away. */
  readonly onFile: (file: { readonly id: string; readonly name: string } | null) => void;
}

const ACCEPTED: Readonly<Record<FileKind, string>> = {
  image: 'image/jpeg,image/png',
  video: 'video/mp4',
  audio: 'audio/*',
  document: '.pdf,.doc,.docx,.ppt,.pptx,.txt',
};

/** A file for a message: its address, or one that is uploaded. */
export function MediaField({ kind, onFile, ...field }: MediaFieldProps) {
  const [file, refusal] = [useSignal<AttachedFile | null>(null), useSignal<string | null>(null)];
  const input = useRef<HTMLInputElement>(null);
  const state = useComputed(() => file.value?.state.value ?? null);
  useEffect(() => {
    if (state.value?.kind === 'done') onFile({ id: state.value.mediaId, name: file.value?.file.name ?? '' });
    if (state.value?.kind === 'failed') {
      refusal.value = state.value.text;
      take(null);
    }
  }, [state.value]);
  useEffect(
    () => () => {
      if (file.peek() !== null) discard(file.peek() as AttachedFile);
    },
    [],
  );
  const take = (next: AttachedFile | null): void => {
    if (file.value !== null) discard(file.value);
    file.value = next;
    if (next === null) onFile(null);
  };
  const chosen = (files: FileList | null): void => {
    const { taken, refusals } = attach(files ?? []);
    const [first] = taken;
    refusal.value = refusals[0] ?? null;
    if (first === undefined) return;
    if (first.kind === kind) take(first);
    else {
      discard(first);
      refusal.value = words.fields.otherKind;
    }
  };
  return (
    <div class="media-field">
      {file.value === null && <ValueField {...field} problem={refusal.value ?? field.problem} />}
      {file.value !== null && (
        <p class="sm uploaded" role="status">
          <bdi>{file.value.file.name}</bdi>{' '}
          <span class="faint">
            {state.value?.kind === 'going'
              ? percent(state.value.share, 1)
              : state.value?.kind === 'waiting' && words.fields.waiting}
          </span>
        </p>
      )}
      <input
        ref={input}
        class="hide"
        type="file"
        tabIndex={-1}
        aria-label={words.fields.file}
        accept={ACCEPTED[kind]}
        onChange={({ currentTarget }) => {
          chosen(currentTarget.files);
          currentTarget.value = '';
        }}
      />
      <button
        class="link"
        type="button"
        onClick={() => {
          if (file.value === null) input.current?.click();
          else take(null);
        }}
      >
        {file.value === null ? words.fields.choose : words.fields.remove}
      </button>
    </div>
  );
}
