import type { EnterableAccount } from '../data/session-api.js';
import { Icon, Mark } from '../parts/icon.js';
import { Menu } from '../parts/menu.js';
import { words } from '../words/en.js';
import { addressOf } from './route-match.js';
import { navigate } from './router.js';

interface AccountSwitcherProps {
  readonly accounts: readonly EnterableAccount[];
  readonly accountId: string | null;
  /** The screen, which stays the same in another account. */
  readonly path: string;
  /** Whether it stands in the bar of narrow pages, where one account alone is not worth a place. */
  readonly isShort?: boolean;
}

/** The account that the page shows; with several, a menu of them. */
export function AccountSwitcher({ accounts, accountId, path, isShort = false }: AccountSwitcherProps) {
  const name = accounts.find(({ account_id }) => account_id === accountId)?.name ?? '';
  if (accounts.length < 2) {
    return isShort ? null : (
      <p class="account">
        <Mark />
        <b class="cut t" dir="auto">
          {name}
        </b>
      </p>
    );
  }
  const items = accounts.map(({ account_id, name: label }) => ({
    id: account_id,
    label,
    isChosen: account_id === accountId,
    choose: () => navigate(addressOf(account_id, path)),
  }));
  return (
    <Menu class="account" label={words.nav.accountIs(name)} items={items}>
      {!isShort && <Mark />}
      <b class="cut t grow" dir="auto">
        {name}
      </b>
      <span class="t">
        <Icon name="down" />
      </span>
    </Menu>
  );
}
