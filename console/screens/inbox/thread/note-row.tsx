import type { NoteRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { session } from '../../../data/session.js';
import { Icon } from '../../../parts/icon.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import { MessageTime } from './message-time.js';
import { RichText } from './rich-text.js';

/** What colleagues told each other; nobody else has seen it. */
export function NoteRow({ note }: { note: NoteRecord }) {
  const isMine = session.value?.user.user_id === note.by.user_id;
  return (
    <div class="entry out" data-key={note.id} tabIndex={-1}>
      <article class="msg note">
        <p class="by">
          <Icon name="note" />
          <span dir="auto">{isMine ? words.myNote : words.note(note.by.name)}</span>
        </p>
        <RichText text={note.text} />
        <p class="end num">
          <MessageTime at={note.at} />
        </p>
      </article>
    </div>
  );
}
