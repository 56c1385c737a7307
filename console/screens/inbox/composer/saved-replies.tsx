import { accountId } from '../../../data/account.js';
import { useQuery } from '../../../data/query.js';
import { addressOf } from '../../../frame/route-match.js';
import { LoadFailed } from '../../../parts/load-failed.js';
import { SearchList, type SearchOption } from '../../../parts/search-list.js';
import { inboxComposerWords } from '../../../words/inbox-composer.js';
import { useReplies } from '../../saved-replies/replies-api.js';
import type { SavedReply } from '../../saved-replies/reply-rules.js';
import { contactKey, readContact } from '../person/person-data.js';
import { type Fields, type FilledReply, fillReply } from './reply-variables.js';

interface SavedRepliesProps {
  readonly contactId: string;
  readonly onInsert: (reply: FilledReply) => void;
  readonly onClose: () => void;
  readonly onSlash: () => void;
  /** A blank in the empty search. */
  readonly onBlank: (() => void) | undefined;
}

interface ShownReply extends FilledReply {
  readonly id: string;
  readonly name: string;
}

/**
 * Chooses a saved reply, and fills its variables with what is known of the person. It is there at once, so that what is
 * typed is its search even while the replies are read.
 */
export function SavedReplies({ contactId, onInsert, onClose, onSlash, onBlank }: SavedRepliesProps) {
  const words = inboxComposerWords.replies;
  const replies = useReplies().value;
  const contact = useQuery(contactKey(contactId), (signal) => readContact(contactId, signal)).value;
  const [known, person] = [replies.data, contact.data];
  const isMissing = known === undefined || person === undefined;
  const shown = isMissing ? [] : known.map((reply) => shownTo(person ?? {}, reply));
  const error = isMissing ? (replies.error ?? contact.error) : null;
  const isLoading = isMissing && error === null;
  const again = (): void => void Promise.all([replies.refetch(), contact.refetch()]);
  return (
    <SearchList
      class="replies"
      label={words.label}
      find={words.find}
      match={(query) => matching(shown, query)}
      isLoading={isLoading}
      failure={error === null ? undefined : <LoadFailed what={words.what} error={error} retry={again} />}
      none={() => (isLoading ? words.loading : shown.length === 0 ? <None /> : words.noneFound)}
      onChoose={(id) => {
        const chosen = shown.find((one) => one.id === id);
        if (chosen !== undefined) onInsert(chosen);
      }}
      onClose={onClose}
      onSlash={onSlash}
      onBlank={onBlank}
    />
  );
}

function None() {
  const { none } = inboxComposerWords.replies;
  return (
    <>
      {none.text}{' '}
      <a class="link" href={addressOf(accountId.value, 'settings/saved-replies')}>
        {none.link}
      </a>
    </>
  );
}

/** As the person would read it. */
const shownTo = (fields: Fields, { id, name, text }: SavedReply): ShownReply => ({
  id,
  name,
  ...fillReply(text, fields),
});

const matching = (replies: readonly ShownReply[], query: string): SearchOption[] =>
  replies
    .filter(({ name, text }) => `${name}\n${text}`.toLowerCase().includes(query))
    .map(({ id, name, text }) => ({ id, label: name, detail: text }));
