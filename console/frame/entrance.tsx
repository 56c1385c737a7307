import type { ComponentChildren } from 'preact';
import { useLayoutEffect } from 'preact/hooks';
import { Mark } from '../parts/icon.js';
import { words } from '../words/en.js';
import { showTitle } from './page-title.js';

/** The page before the frame: one card in the middle. */
export function Entrance({ children }: { children: ComponentChildren }) {
  return (
    <main id="main" class="entrance" tabIndex={-1}>
      <p class="brand">
        <Mark />
        {words.product}
      </p>
      <div class="card">{children}</div>
    </main>
  );
}

/** A page that only says something. */
export function Message({ title, text }: { title: string; text: string }) {
  useLayoutEffect(() => {
    showTitle(title);
  }, [title]);
  return (
    <>
      <h1 tabIndex={-1}>{title}</h1>
      <p class="dim">{text}</p>
    </>
  );
}
