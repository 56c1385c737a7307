import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { session } from '../../data/session.js';
import { useLetters } from '../../frame/letters.js';
import { Button } from '../../parts/button.js';
import { LoadFailed } from '../../parts/load-failed.js';
import { Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { SearchField } from '../../parts/search-field.js';
import { Skeleton } from '../../parts/skeleton.js';
import { settingsWords } from '../../words/inbox-settings.js';
import { SettingsParts } from '../settings-parts/settings-parts.js';
import { DeleteReply } from './delete-reply.js';
import { useReplies } from './replies-api.js';
import { ReplyForm } from './reply-form.js';
import { found, type SavedReply } from './reply-rules.js';

const MAX_SEARCH = 100;
/** With fewer, all are seen at once. */
const SEARCHED_FROM = 8;

type Asked =
  | { readonly kind: 'write'; readonly reply: SavedReply | null }
  | { readonly kind: 'delete'; readonly reply: SavedReply };

/** The saved replies of the account. Agents read them; managers write them. */
export function Screen() {
  const { replies, section, titles } = settingsWords;
  const role = session.value?.user.role;
  const mayManage = role !== undefined && role !== 'agent';
  const [asked, said] = [useSignal<Asked | null>(null), useSignal<string | null>(null)];
  const write = (reply: SavedReply | null): void => {
    said.value = null;
    asked.value = { kind: 'write', reply };
  };
  const close = (news: string | null = null): void => {
    asked.value = null;
    said.value = news;
  };
  useLetters(mayManage ? { n: { label: replies.add, press: () => write(null) } } : {});
  return (
    <>
      <header class="head">
        <div class="grow">
          <p class="crumb">{section}</p>
          <h1 tabIndex={-1}>{titles.savedReplies}</h1>
        </div>
        {mayManage && (
          <div class="actions">
            <Button isPrimary onPress={() => write(null)}>
              {replies.add}
            </Button>
          </div>
        )}
      </header>
      <SettingsParts current="savedReplies" />
      <Panel title={titles.savedReplies} text={replies.text}>
        {said.value !== null && <Notice>{said.value}</Notice>}
        <Replies
          mayManage={mayManage}
          onEdit={write}
          onDelete={(reply) => {
            said.value = null;
            asked.value = { kind: 'delete', reply };
          }}
        />
      </Panel>
      {asked.value?.kind === 'write' && (
        <ReplyForm reply={asked.value.reply} onClose={() => close()} onSaved={(name) => close(replies.saved(name))} />
      )}
      {asked.value?.kind === 'delete' && (
        <DeleteReply
          reply={asked.value.reply}
          onClose={() => close()}
          onDeleted={(name) => {
            close(replies.deleted(name));
            // The button that had focus is gone.
            document.querySelector('h1')?.focus({ preventScroll: true });
          }}
        />
      )}
    </>
  );
}

interface RepliesProps {
  readonly mayManage: boolean;
  readonly onEdit: (reply: SavedReply) => void;
  readonly onDelete: (reply: SavedReply) => void;
}

function Replies({ mayManage, onEdit, onDelete }: RepliesProps) {
  const { replies } = settingsWords;
  const result = useReplies().value;
  const search = useSignal('');
  const input = useRef<HTMLInputElement>(null);
  useLetters({ '/': { label: replies.find, press: () => input.current?.focus() } });
  if (result.data === undefined) {
    if (result.error === null) return <Skeleton rows={4} />;
    return <LoadFailed what={replies.list} error={result.error} retry={() => result.refetch()} />;
  }
  if (result.data.length === 0) return <p class="body dim sm">{mayManage ? replies.empty : replies.emptyReader}</p>;
  const rows = found(result.data, search.value);
  return (
    <>
      {result.data.length >= SEARCHED_FROM && (
        <div class="body">
          <SearchField
            label={replies.find}
            hint={replies.findHint}
            maxLength={MAX_SEARCH}
            value={search.value}
            input={input}
            onSearch={(text) => {
              search.value = text;
            }}
          />
        </div>
      )}
      {rows.length === 0 && <p class="body dim sm">{replies.none(search.value)}</p>}
      <ul class="rows sm reply-rows">
        {rows.map((reply) => (
          <li key={reply.id}>
            <div class="grow">
              <p class="strong" dir="auto">
                {reply.name}
              </p>
              <p class="reply-text dim" dir="auto">
                {reply.text}
              </p>
            </div>
            {mayManage && (
              <div class="reply-actions">
                <Button isSmall name={replies.editOf(reply.name)} onPress={() => onEdit(reply)}>
                  {replies.edit}
                </Button>
                <Button isSmall name={replies.removeOf(reply.name)} onPress={() => onDelete(reply)}>
                  {replies.remove}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
