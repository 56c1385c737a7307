import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../parts/icon.js';
import { inboxPersonWords as words } from '../../../words/inbox-person.js';
import type { OpenThread } from '../open-thread.js';
import { personName } from '../person-name.js';
import { About } from './about.js';
import { isPersonShown } from './person-shown.js';
import { useIsBeside } from './use-is-beside.js';

/** The person of a thread: beside it where there is room, else over it when somebody asks. */
export function Person({ thread }: { thread: OpenThread }) {
  const isBeside = useIsBeside();
  const name = useComputed(() => {
    const conversation = thread.conversation.value;
    return conversation === undefined ? null : personName(conversation);
  });
  useEffect(
    () => () => {
      isPersonShown.value = false;
    },
    [],
  );
  useEffect(() => {
    if (isBeside) isPersonShown.value = false;
  }, [isBeside]);
  const label = name.value === null ? words.person : words.about(name.value);
  const hasFailed = thread.conversation.value === undefined && thread.error.value !== null;
  if (isBeside) {
    return (
      <aside class="side" aria-label={label}>
        {!hasFailed && <About thread={thread} />}
      </aside>
    );
  }
  if (!isPersonShown.value || hasFailed) return null;
  return (
    <Panel label={label}>
      <About thread={thread} />
    </Panel>
  );
}

/** Over the thread, which can’t be used meanwhile. Focus goes back to where it was. */
function Panel({ label, children }: { label: string; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  const close = (): void => {
    isPersonShown.value = false;
  };
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      class="side"
      aria-label={label}
      onCancel={(event) => {
        // A question in it has its own way out.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) close();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.stopPropagation();
      }}
    >
      <div class="top">
        <h2 dir="auto">{label}</h2>
        <button class="btn icon quiet" type="button" aria-label={words.close} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      {children}
    </dialog>
  );
}
