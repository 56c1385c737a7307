import { clockOf, fullOf } from './moments.js';

/** The time of day, with the full time on hover. */
export function MessageTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullOf(at)}>
      {clockOf(at)}
    </time>
  );
}
