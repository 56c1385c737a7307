import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A part of a screen with a heading. */
export function Panel({ title, text, children }: { title: string; text?: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
      </header>
      {text !== undefined && <p class="body dim sm">{text}</p>}
      {children}
    </section>
  );
}
