import { useLayoutEffect } from 'preact/hooks';
import { words } from '../words/en.js';
import { showTitle } from './page-title.js';
import { arrive } from './router.js';

interface DeadEndProps {
  readonly title: string;
  readonly text: string;
  /** Where the way out leads, and what it says. */
  readonly home: string;
  readonly go?: string;
}

/** An address that leads to nothing. */
export function DeadEnd({ title, text, home, go = words.states.notFound.go }: DeadEndProps) {
  useLayoutEffect(() => {
    showTitle(title);
    arrive();
  }, [title]);
  return (
    <div class="dead">
      <h1 tabIndex={-1}>{title}</h1>
      <p class="dim">{text}</p>
      <a class="link" href={home}>
        {go}
      </a>
    </div>
  );
}
