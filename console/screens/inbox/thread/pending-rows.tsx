import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import type { PendingEntry } from '../kept-in-thread.js';
import { RichText } from './rich-text.js';

/** What was sent from this page and the service does not show yet, in grey. */
export function PendingRows({ pending }: { pending: readonly PendingEntry[] }) {
  return (
    <>
      {pending.map(({ id, kind, text }) => (
        <div key={id} class="entry out">
          <article class={kind === 'note' ? 'msg note waiting' : 'msg out waiting'}>
            <RichText text={text} />
            <p class="end">{kind === 'note' ? words.pendingNote : words.sending}</p>
          </article>
        </div>
      ))}
    </>
  );
}
