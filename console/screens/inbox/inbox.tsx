import type { ScreenProps } from '../../frame/screen.js';
import { NewConversationPlace } from './handling/new-conversation-button.js';
import { Conversations } from './list/conversations.js';
import type { ThreadKey } from './thread-key.js';
import { ThreadPane } from './thread-pane.js';

/** Three panes: the list, the thread that is open, and its person. Narrow windows show one of them. */
export function Screen({ parameters }: ScreenProps) {
  const { contact, phone } = parameters;
  const open: ThreadKey | null = contact === undefined || phone === undefined ? null : { contact, phone };
  const name = open === null ? '' : `${open.contact} ${open.phone}`;
  return (
    <div class="inbox" data-pane={open === null ? 'list' : 'thread'}>
      <Conversations open={open} />
      <ThreadPane key={name} thread={open} />
      <NewConversationPlace />
    </div>
  );
}
