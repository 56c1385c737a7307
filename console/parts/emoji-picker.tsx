import { inboxComposerWords } from '../words/inbox-composer.js';
import { EMOJI } from './emoji-names.js';
import { SearchList } from './search-list.js';

interface EmojiPickerProps {
  readonly onChoose: (emoji: string) => void;
  readonly onClose: () => void;
}

/** About 250 common emoji, found by their names. */
export function EmojiPicker({ onChoose, onClose }: EmojiPickerProps) {
  const words = inboxComposerWords.emoji;
  return (
    <SearchList
      class="emoji-picker"
      label={words.label}
      find={words.find}
      match={emojiFor}
      none={() => words.none}
      onChoose={onChoose}
      onClose={onClose}
    />
  );
}

/** The emoji whose names have all the words, or their beginnings, of a query. */
export function emojiFor(
  query: string,
): readonly { readonly id: string; readonly label: string; readonly sign: string }[] {
  const wanted = query.split(/\s+/).filter(Boolean);
  return EMOJI.filter(({ name }) => wanted.every((word) => ` ${name}`.includes(` ${word}`))).map(({ emoji, name }) => ({
    id: emoji,
    label: name,
    sign: emoji,
  }));
}
