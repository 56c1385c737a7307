import { useSignal } from '@preact/signals';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../parts/icon.js';

/** How long typed letters belong together, milliseconds. */
const TYPED_TOGETHER_MS = 800;

export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly isChosen: boolean;
}

interface ChoiceListProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly onChoose: (id: string) => void;
  readonly onClose: () => void;
}

/** A list of which one is chosen: with arrows, or by typing how it begins. It has focus as soon as it is there. */
export function ChoiceList({ label, choices, onChoose, onClose }: ChoiceListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const active = useSignal(
    Math.max(
      0,
      choices.findIndex(({ isChosen }) => isChosen),
    ),
  );
  const at = Math.min(active.value, choices.length - 1);
  useLayoutEffect(() => list.current?.focus(), []);
  useLayoutEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const press = (event: KeyboardEvent): void => {
    const { key, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey || key === 'Tab') return;
    const next = moved(key, at, choices.length) ?? found(key, at);
    if (next !== null) active.value = next;
    else if (key === 'Enter' || key === ' ') onChoose(choices[at]?.id ?? '');
    else if (key === 'Escape') onClose();
    else if (key.length > 1) return;
    event.preventDefault();
    // A letter that finds a name is no shortcut.
    event.stopPropagation();
  };
  /** The choice whose name begins with what was typed; with one letter the next one. */
  const found = (key: string, from: number): number | null => {
    if (key.length !== 1) return null;
    const now = performance.now();
    const text = now - typed.current.at < TYPED_TOGETHER_MS ? typed.current.text + key : key;
    if (text.trim() === '') return null;
    typed.current = { text, at: now };
    const start = text.length === 1 ? from + 1 : from;
    const order = choices.map((_, index) => (start + index) % choices.length);
    return order.find((index) => folded(choices[index]?.label ?? '').startsWith(folded(text))) ?? null;
  };
  return (
    <div
      ref={list}
      class="choices-list"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={`${id}-${at}`}
      onKeyDown={press}
    >
      {choices.map(({ id: choice, label: name, isChosen }, index) => (
        // The list itself has the keyboard.
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: see above
        <div
          key={choice}
          id={`${id}-${index}`}
          role="option"
          class={index === at ? 'active' : undefined}
          aria-selected={isChosen}
          dir="auto"
          onClick={() => onChoose(choice)}
        >
          <span class="grow">{name}</span>
          {isChosen && <Icon name="check" />}
        </div>
      ))}
    </div>
  );
}

/** Where a key leads; null for keys that do not move. */
function moved(key: string, at: number, count: number): number | null {
  if (key === 'ArrowDown') return Math.min(at + 1, count - 1);
  if (key === 'ArrowUp') return Math.max(at - 1, 0);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : null;
}

/** Without case and accents. */
const folded = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
