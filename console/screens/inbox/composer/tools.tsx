import { useRef } from 'preact/hooks';
import { Icon, type IconName } from '../../../parts/icon.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import { ACCEPTED } from './file-rules.js';

/** What floats over the composer. */
export type Popover = 'emoji' | 'replies';

interface ToolsProps {
  readonly open: Popover | null;
  readonly onOpen: (popover: Popover) => void;
  readonly onFiles: (files: readonly File[]) => void;
  readonly onTemplate: () => void;
  readonly isNote: boolean;
}

/** The buttons below the field. */
export function Tools({ open, onOpen, onFiles, onTemplate, isNote }: ToolsProps) {
  const input = useRef<HTMLInputElement>(null);
  const words = inboxComposerWords.tools;
  const popover = (name: Popover, icon: IconName, label: string) => (
    <Tool icon={icon} label={label} isOpen={open === name} onPress={() => onOpen(name)} />
  );
  if (isNote) return popover('emoji', 'smile', words.emoji);
  return (
    <>
      <Tool icon="clip" label={words.attach} onPress={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept={ACCEPTED}
        aria-label={words.attach}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      {popover('emoji', 'smile', words.emoji)}
      {popover('replies', 'saved', words.replies)}
      <Tool icon="template" label={words.template} onPress={onTemplate} />
    </>
  );
}

interface ToolProps {
  readonly icon: IconName;
  readonly label: string;
  readonly onPress: () => void;
  /** Whether what it opens is there; buttons that open nothing leave it out. */
  readonly isOpen?: boolean;
}

function Tool({ icon, label, onPress, isOpen }: ToolProps) {
  return (
    <button
      class="btn icon quiet"
      type="button"
      // Its name too: with the same label beside it, it would be read twice.
      title={label}
      aria-haspopup={isOpen === undefined ? undefined : 'dialog'}
      aria-expanded={isOpen}
      // Otherwise the list would close before the press, which would open it again.
      onPointerDown={(event) => isOpen === true && event.stopPropagation()}
      onClick={onPress}
    >
      <Icon name={icon} />
    </button>
  );
}
