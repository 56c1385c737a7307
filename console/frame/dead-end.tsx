import { useLayoutEffect } from 'preact/hooks';
import { words } from '../words/en.js';
import { arrive } from './router.js';

/** An address that leads to nothing. */
export function DeadEnd({ title, text, home }: { title: string; text: string; home: string }) {
  useLayoutEffect(() => {
    document.title = words.titleOf(title);
    arrive();
  }, [title]);
  return (
    <div class="dead">
      <h1 tabIndex={-1}>{title}</h1>
      <p class="dim">{text}</p>
      <a class="link" href={home}>
        {words.states.notFound.go}
      </a>
    </div>
  );
}
