import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isOffline } from '../../../data/connection.js';
import { session } from '../../../data/session.js';
import { say } from '../../../frame/said.js';
import { Icon } from '../../../parts/icon.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import type { OpenThread } from '../open-thread.js';
import type { Message } from '../records.js';
import { windowEnd } from '../use-open-thread.js';
import { authorOf } from './author.js';
import { clockOf } from './moments.js';
import { EMOJIS, react } from './reactions.js';
import type { ThreadTimeline } from './thread-timeline.js';

/** The message whose menu is open, and the button that opened it. */
export interface ShownMenu {
  readonly id: string;
  readonly message: Message;
  readonly button: HTMLElement;
}

export type OpenMenu = (id: string, message: Message, button: HTMLElement) => void;

/** The one menu of a thread. */
export function useMessageMenu() {
  const shown = useSignal<ShownMenu | null>(null);
  const open: OpenMenu = (id, message, button) => {
    shown.value = { id, message, button };
  };
  const close = (): void => {
    shown.value = null;
  };
  return { shown: shown.value, open: useRef(open).current, close };
}

interface MessageMenuProps {
  readonly thread: OpenThread;
  readonly timeline: ThreadTimeline;
  readonly shown: ShownMenu;
  readonly close: () => void;
}

/** How far the menu stays from the edges of the window, CSS pixels. */
const MARGIN = 8;

/** What can be done with a message. It floats above the thread, so that nothing in it moves. */
export function MessageMenu({ thread, timeline, shown, close }: MessageMenuProps) {
  const { message, button } = shown;
  const menu = useRef<HTMLDivElement>(null);
  const conversation = thread.conversation.value;
  const isOpen = conversation !== undefined && windowEnd(conversation) !== null;
  const mayWrite = isOpen && session.value?.scopes.includes('messages:write') === true && !isOffline.value;
  const mine = message.reactions.find(({ by }) => by === 'business')?.emoji ?? null;
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    // Older browsers have none, and show it where it is placed.
    element.showPopover?.();
    place(element, button);
    itemsOf(element)[0]?.focus();
    const toggle = (event: Event): void => {
      if ((event as ToggleEvent).newState === 'closed') close();
    };
    element.addEventListener('toggle', toggle);
    return () => element.removeEventListener('toggle', toggle);
  }, []);
  const leave = (): void => {
    menu.current?.hidePopover?.();
    close();
    button.focus({ preventScroll: true });
  };
  const choose = (action: () => void) => (): void => {
    leave();
    action();
  };
  const reply = (): void => {
    thread.quoted.value = message;
    thread.wantsToWrite.value = { count: thread.wantsToWrite.peek().count + 1, kind: 'message' };
  };
  return (
    <div
      ref={menu}
      class="message-menu"
      popover="auto"
      role="menu"
      aria-label={words.actions(authorOf(message), clockOf(message.created_at))}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return move(event, menu.current);
        event.preventDefault();
        leave();
      }}
    >
      {mayWrite && (
        // biome-ignore lint/a11y/useSemanticElements: a group of a menu, not of a form
        <div class="emojis" role="group">
          {EMOJIS.map((emoji) => (
            <button
              key={emoji}
              type="button"
              role="menuitemradio"
              aria-checked={emoji === mine}
              aria-label={emoji === mine ? words.unreact(emoji) : words.react(emoji)}
              tabIndex={-1}
              onClick={choose(() => void react(thread.key, timeline, message, emoji === mine ? '' : emoji))}
            >
              {emoji}
            </button>
          ))}
        </div>
      )}
      {mayWrite && (
        <button type="button" role="menuitem" tabIndex={-1} onClick={choose(reply)}>
          <Icon name="reply" />
          {words.reply}
        </button>
      )}
      {message.content !== '' && (
        <button type="button" role="menuitem" tabIndex={-1} onClick={choose(() => void copy(message.content))}>
          <Icon name="note" />
          {words.copy}
        </button>
      )}
      {!isOpen && <p class="xs dim">{words.closedForReactions}</p>}
    </div>
  );
}

/** Copies a text, and says what came of it: the menu has gone. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(words.copied);
  } catch {
    // Somebody has forbidden it, or the page did not come over TLS.
    say(words.notCopied);
  }
}

const itemsOf = (menu: Element): HTMLElement[] => [...menu.querySelectorAll<HTMLElement>('button')];

/** Puts the menu beside its button, inside of the window. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const [at, size] = [button.getBoundingClientRect(), menu.getBoundingClientRect()];
  const isBelow = at.bottom + size.height + MARGIN < innerHeight;
  const y = isBelow ? at.bottom : at.top - size.height;
  const isAtEnd = at.left + size.width + MARGIN > innerWidth;
  const x = isAtEnd ? at.right - size.width : at.left;
  menu.style.inset = 'auto';
  menu.style.left = `${Math.max(MARGIN, Math.min(x, innerWidth - size.width - MARGIN))}px`;
  menu.style.top = `${Math.max(MARGIN, Math.min(y, innerHeight - size.height - MARGIN))}px`;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

function move(event: KeyboardEvent, menu: Element | null): void {
  if (event.key === 'Tab') event.preventDefault();
  const items = menu === null ? [] : itemsOf(menu);
  const step = STEPS[event.key];
  const at = items.indexOf(event.target as HTMLElement);
  const isEdge = event.key === 'Home' || event.key === 'End';
  if (items.length === 0 || (step === undefined && !isEdge)) return;
  event.preventDefault();
  const next = step === undefined ? (event.key === 'Home' ? 0 : -1) : (at + step + items.length) % items.length;
  items.at(next)?.focus();
}
