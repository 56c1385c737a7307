import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Conversation } from '../records.js';
import { ConversationRow } from './conversation-row.js';
import type { ConversationsFilter } from './conversations-filter.js';

interface RowSlotProps {
  /** Undefined while it is on its way. */
  readonly conversation: Conversation | undefined;
  readonly filter: ConversationsFilter;
  readonly isOpen: boolean;
  readonly index: number;
  /** How many rows the list has. */
  readonly size: number;
  /** Where it stands, pixels from the beginning of the list. */
  readonly offset: number;
}

/** A place in the window, which shows one row after another. */
export function RowSlot({ conversation, filter, isOpen, index, size, offset }: RowSlotProps) {
  const element = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (element.current !== null) element.current.style.transform = `translateY(${offset}px)`;
  }, [offset]);
  return (
    <li ref={element} aria-posinset={index + 1} aria-setsize={size} data-index={index}>
      {conversation === undefined ? (
        <div class="conv rest" aria-hidden="true">
          <span class="avatar" />
          <span class="who" />
          <span class="said" />
          <span class="meta" />
        </div>
      ) : (
        <ConversationRow conversation={conversation} filter={filter} isOpen={isOpen} />
      )}
    </li>
  );
}
