import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  /** Whether it is the one of several that holds now; actions leave it out. */
  readonly isChosen?: boolean;
  readonly choose: () => void;
}

interface MenuProps {
  readonly class: string;
  /** The name of the button. */
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** What the button shows. */
  readonly children: ComponentChildren;
  /** Whether the list ends where the button ends, for buttons at the end of a line. */
  readonly isAtEnd?: boolean;
}

/** Keys that move through the items: to which, of how many. */
const MOVES: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** A button that opens a menu: of actions, or of values of which one is chosen. */
export function Menu({ class: name, label, items, children, isAtEnd = false }: MenuProps) {
  const [isOpen, id] = [useSignal(false), useId()];
  const [button, list] = [useRef<HTMLButtonElement>(null), useRef<HTMLDivElement>(null)];
  const itemElements = (): HTMLElement[] => [...(list.current?.querySelectorAll<HTMLElement>('[role]') ?? [])];
  const close = (): void => {
    isOpen.value = false;
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen.value) return;
    const chosen = items.findIndex(({ isChosen }) => isChosen === true);
    itemElements()[Math.max(chosen, 0)]?.focus();
    const outside = ({ target }: Event): void => {
      if (target instanceof Node && !list.current?.contains(target) && !button.current?.contains(target)) {
        isOpen.value = false;
      }
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [isOpen.value]);
  const press = (event: KeyboardEvent): void => {
    const elements = itemElements();
    const move = MOVES[event.key];
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') isOpen.value = false;
    else if (move !== undefined) {
      elements[move(elements.indexOf(event.target as HTMLElement), elements.length)]?.focus();
    } else return;
    if (event.key !== 'Tab') event.preventDefault();
  };
  return (
    <div class="menu">
      <button
        ref={button}
        class={name}
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen.value}
        aria-controls={isOpen.value ? id : undefined}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        {children}
      </button>
      {isOpen.value && (
        <div
          ref={list}
          id={id}
          class={isAtEnd ? 'menu-list at-end' : 'menu-list'}
          role="menu"
          aria-label={label}
          tabIndex={-1}
          onKeyDown={press}
        >
          {items.map((item) => (
            <button
              key={item.id}
              type="button"
              {...roleOf(item)}
              tabIndex={-1}
              dir="auto"
              onClick={() => {
                close();
                item.choose();
              }}
            >
              {item.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}

const roleOf = ({ isChosen }: MenuItem) =>
  isChosen === undefined ? { role: 'menuitem' as const } : { role: 'menuitemradio' as const, 'aria-checked': isChosen };
