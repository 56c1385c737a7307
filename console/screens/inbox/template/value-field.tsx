import { inboxTemplateWords as words } from '../../../words/inbox-template.js';
import type { FieldKind, TemplateField } from './template-fields.js';

export interface ValueFieldProps {
  readonly id: string;
  readonly field: TemplateField;
  readonly value: string;
  /** What is wrong with it; null for nothing. */
  readonly problem: string | null;
  readonly onInput: (value: string) => void;
}

const INPUTS = {
  text: { type: 'text' },
  url: { type: 'text', inputMode: 'url' },
  number: { type: 'text', inputMode: 'decimal' },
  time: { type: 'datetime-local' },
} as const satisfies Readonly<Record<FieldKind, object>>;

/** A field for one value of a template. */
export function ValueField({ id, field, value, problem, onInput }: ValueFieldProps) {
  const { label, around, hint, kind, isRequired } = field;
  const described = [
    around !== null && `${id}-around`,
    hint !== null && `${id}-hint`,
    problem !== null && `${id}-wrong`,
  ]
    .filter(Boolean)
    .join(' ');
  return (
    <div class="field">
      <label for={id} dir="auto">
        {isRequired ? label : words.optional(label)}
      </label>
      {around !== null && (
        <p class="hint" id={`${id}-around`} dir="auto">
          {around}
        </p>
      )}
      <div class="in">
        <input
          id={id}
          {...INPUTS[kind]}
          dir="auto"
          autocomplete="off"
          value={value}
          aria-required={isRequired}
          aria-invalid={problem !== null}
          aria-describedby={described === '' ? undefined : described}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
        />
      </div>
      {hint !== null && (
        <p class="hint" id={`${id}-hint`} dir="auto">
          {hint}
        </p>
      )}
      <p class="wrong" id={`${id}-wrong`} role="alert">
        {problem}
      </p>
    </div>
  );
}
