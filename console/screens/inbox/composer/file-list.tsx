import { Icon } from '../../../parts/icon.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import { percent } from '../../../words/numbers.js';
import { type AttachedFile, begin, discard, type UploadState } from './attached-file.js';
import type { Draft } from './drafts.js';

/** The files that go with the message, and how far they are. */
export function FileList({ draft, onRemoved }: { draft: Draft; onRemoved: () => void }) {
  const words = inboxComposerWords.files;
  const remove = (file: AttachedFile): void => {
    draft.files.value = draft.files.value.filter((one) => one !== file);
    discard(file);
    onRemoved();
  };
  return (
    <>
      {draft.files.value.length > 0 && (
        <ul class="files" aria-label={words.label}>
          {draft.files.value.map((file) => (
            <FileItem key={file.id} attached={file} onRemove={() => remove(file)} isFixed={draft.isSending.value} />
          ))}
        </ul>
      )}
      <div role="alert">
        {draft.refusals.value.map((text) => (
          <p key={text} class="wrong" dir="auto">
            {text}
          </p>
        ))}
      </div>
    </>
  );
}

interface FileItemProps {
  readonly attached: AttachedFile;
  readonly onRemove: () => void;
  /** Whether messages are being sent: what is uploaded goes with them; the rest can still be given up. */
  readonly isFixed: boolean;
}

function FileItem({ attached, onRemove, isFixed }: FileItemProps) {
  const words = inboxComposerWords.files;
  const { file, preview, state } = attached;
  const now = state.value;
  return (
    <li>
      {preview === null ? <Icon name="clip" /> : <img src={preview} alt="" />}
      <div>
        <p class="cut" dir="auto" title={file.name}>
          {file.name}
        </p>
        <p class={now.kind === 'failed' ? 'wrong' : 'how'} role={now.kind === 'failed' ? 'alert' : undefined}>
          {saidOf(now)}
        </p>
      </div>
      {now.kind === 'failed' && (
        <button class="link" type="button" aria-label={words.retry(file.name)} onClick={() => begin(attached)}>
          {words.retryShort}
        </button>
      )}
      {!(isFixed && now.kind === 'done') && (
        <button class="btn icon quiet" type="button" aria-label={words.remove(file.name)} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
      {now.kind === 'going' && (
        <svg class="meter" aria-hidden="true">
          <rect class="rest" width="100%" height="100%" rx="2" />
          <rect class="done" width={`${now.share * 100}%`} height="100%" rx="2" />
        </svg>
      )}
    </li>
  );
}

function saidOf(state: UploadState): string {
  const words = inboxComposerWords.files;
  switch (state.kind) {
    case 'waiting':
      return words.waiting;
    case 'going':
      return words.going(percent(Math.floor(state.share * 100), 100));
    case 'done':
      return words.done;
    case 'failed':
      return state.text;
  }
}
