import { effect, signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { words } from '../words/en.js';
import { counted } from '../words/inbox-work.js';
import { waiting } from './waiting.js';

/** What the title of the tab names: a screen, and on some of them a subject, such as a person. */
const screen = signal<string | null>(null);
const subject = signal<string | null>(null);

/** Keeps the title of the tab: “(3) Greta Holmvik · Inbox · Parley”. */
export function startTitle(): void {
  effect(() => {
    if (screen.value === null) return;
    const named = [subject.value, screen.value].filter((part) => part !== null && part !== '').join(' · ');
    const number = waiting.value?.waiting ?? 0;
    document.title = words.titleOf(number > 0 ? `(${counted(number)}) ${named}` : named);
  });
}

/** Names the screen that is shown from now on. */
export function showTitle(title: string): void {
  screen.value = title;
}

/** Names what the screen is about, for as long as the part that knows it is shown. */
export function useSubject(name: string | null): void {
  useLayoutEffect(() => {
    subject.value = name;
    return () => {
      if (subject.peek() === name) subject.value = null;
    };
  }, [name]);
}
