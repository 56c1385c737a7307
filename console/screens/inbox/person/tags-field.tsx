import { useId, useRef } from 'preact/hooks';
import { isComposing } from '../../../parts/composing.js';
import { Icon } from '../../../parts/icon.js';
import { inboxPersonWords } from '../../../words/inbox-person.js';

const words = inboxPersonWords.edit;

/** Tags with one more; none twice. */
export function withTag(tags: readonly string[], text: string): readonly string[] {
  const tag = text.trim();
  return tag === '' || tags.includes(tag) ? tags : [...tags, tag];
}

interface TagsFieldProps {
  readonly tags: readonly string[];
  /** What is being typed: no tag yet. */
  readonly typed: string;
  readonly problem: string | null;
  readonly onChange: (tags: readonly string[]) => void;
  readonly onType: (text: string) => void;
}

/** Tags to take away, and a field for new ones. */
export function TagsField({ tags, typed, problem, onChange, onType }: TagsFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      {tags.length > 0 && (
        <ul class="pills" aria-label={words.tags}>
          {tags.map((tag) => (
            <li key={tag} class="pill tag">
              <bdi>{tag}</bdi>
              <button
                type="button"
                aria-label={words.removeTag(tag)}
                onClick={() => {
                  onChange(tags.filter((one) => one !== tag));
                  input.current?.focus();
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div class="field">
        <label for={id}>{words.newTag}</label>
        <div class="in">
          <input
            id={id}
            ref={input}
            type="text"
            dir="auto"
            autocomplete="off"
            value={typed}
            aria-invalid={problem !== null}
            aria-describedby={`${id}-hint ${id}-wrong`}
            onInput={({ currentTarget }) => onType(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || isComposing(event) || typed.trim() === '') return;
              event.preventDefault();
              onChange(withTag(tags, typed));
              onType('');
            }}
          />
        </div>
        <p class="hint" id={`${id}-hint`}>
          {words.tagHint}
        </p>
        <p class="wrong" id={`${id}-wrong`} role="alert">
          {problem}
        </p>
      </div>
    </>
  );
}
