import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** The buttons at its foot. */
  readonly answer?: ComponentChildren;
  /** Closes it; without, it stays until its cause is gone. */
  readonly onClose?: () => void;
}

/** A dialog over the page, which can’t be used meanwhile. Focus goes back to where it was. */
export function Dialog({ title, children, answer, onClose }: DialogProps) {
  const [element, id] = [useRef<HTMLDialogElement>(null), useId()];
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onKeyDown={(event) => {
        // Pressed twice, a browser would close the dialog whatever the page says.
        if (event.key === 'Escape' && onClose === undefined) event.preventDefault();
      }}
    >
      <div class="ask">
        <h2 id={id}>{title}</h2>
      </div>
      <div class="body">{children}</div>
      {answer !== undefined && <div class="answer">{answer}</div>}
    </dialog>
  );
}
