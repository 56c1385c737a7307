import { words } from '../words/en.js';
import { fullTime } from '../words/times.js';

/** A time as people say it, with the full one on hover. */
export function Time({ at, text }: { at: string; text?: (moment: string) => string }) {
  const said = words.when(at, new Date());
  return (
    <time dateTime={at} title={fullTime(at)}>
      {text === undefined ? said : text(said)}
    </time>
  );
}
