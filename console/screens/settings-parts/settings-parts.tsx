import { accountId } from '../../data/account.js';
import { session } from '../../data/session.js';
import { addressOf } from '../../frame/route-match.js';
import { Tabs } from '../../parts/tabs.js';
import { settingsWords } from '../../words/inbox-settings.js';

type Part = 'you' | 'inbox' | 'savedReplies';

const PARTS: readonly { readonly id: Part; readonly path: string; readonly isOfInbox: boolean }[] = [
  { id: 'you', path: 'settings/you', isOfInbox: false },
  { id: 'inbox', path: 'settings/inbox', isOfInbox: true },
  { id: 'savedReplies', path: 'settings/saved-replies', isOfInbox: true },
];

/** Links to the parts of the settings. */
export function SettingsParts({ current }: { current: Part }) {
  const seesInbox = session.value?.scopes.includes('conversations:read') ?? false;
  const tabs = PARTS.filter(({ isOfInbox }) => !isOfInbox || seesInbox).map(({ id, path }) => ({
    id,
    label: settingsWords.titles[id],
    href: addressOf(accountId.value, path),
    isCurrent: id === current,
  }));
  return (
    <div class="settings-parts">
      <Tabs label={settingsWords.parts} tabs={tabs} />
    </div>
  );
}
