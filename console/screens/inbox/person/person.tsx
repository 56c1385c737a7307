import { useComputed } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../parts/icon.js';
import { inboxPersonWords as words } from '../../../words/inbox-person.js';
import type { OpenThread } from '../open-thread.js';
import { personName } from '../person-name.js';
import { About } from './about.js';
import { isPersonShown } from './person-shown.js';
import { useIsBeside, useIsWhole } from './use-is-beside.js';

/** What is open over the page, and takes the key itself. */
const OVER = 'dialog:modal, [aria-haspopup][aria-expanded="true"]';

/** The person of a thread: beside it where there is room, else when somebody asks. */
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

/** Beside the thread, which goes on; on a phone a page of its own. Focus goes back to where it was. */
function Panel({ label, children }: { label: string; children: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  const isWhole = useIsWhole();
  const close = (): void => {
    isPersonShown.value = false;
  };
  useLayoutEffect(() => {
    const dialog = element.current;
    if (isWhole) dialog?.showModal();
    else dialog?.show();
    return () => dialog?.close();
  }, [isWhole]);
  useEffect(() => {
    // Last of all: what is open in the thread, or over it, has its own way out.
    const leave = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector(OVER) !== null) return;
      event.preventDefault();
      close();
    };
    addEventListener('keydown', leave);
    return () => removeEventListener('keydown', leave);
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
