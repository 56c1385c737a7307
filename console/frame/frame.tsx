import type { Session } from '../data/session-api.js';
import { Icon } from '../parts/icon.js';
import { initialsOf } from '../parts/initials.js';
import { words } from '../words/en.js';
import { AccountSwitcher } from './account-switcher.js';
import { DeadEnd } from './dead-end.js';
import { Help, HelpButton } from './help.js';
import { addressOfEntry } from './last-place.js';
import { Lazy } from './lazy.js';
import { LiveIndicator } from './live-indicator.js';
import { addressOf, matchRoute } from './route-match.js';
import { Said } from './said.js';
import { NAVIGATION, type NavigationEntry, SCREENS } from './screens.js';
import { ShortcutKeys } from './shortcut-keys.js';
import { SignedOutDialog } from './signed-out-dialog.js';
import { StateLines } from './state-lines.js';
import { WaitingBadge, WaitingWatch } from './waiting-badge.js';

interface FrameProps {
  readonly session: Session;
  readonly accountId: string | null;
  /** Below the account. */
  readonly path: string;
}

/** Navigation around one screen. */
export function Frame({ session, accountId, path }: FrameProps) {
  const account = session.accounts.find(({ account_id }) => account_id === accountId);
  // Where the address names no account of theirs, the navigation leads to their first one.
  const base = account?.account_id ?? session.accounts[0]?.account_id ?? null;
  const entries = NAVIGATION.filter(({ scope }) => scope === undefined || session.scopes.includes(scope));
  const link = (entry: NavigationEntry) => <NavigationLink key={entry.path} entry={entry} base={base} path={path} />;
  const screen = SCREENS.map((one) => ({ ...one, parameters: matchRoute(one.pattern, path) })).find(
    ({ parameters }) => parameters !== null,
  );
  return (
    <>
      <a class="skip" href="#main">
        {words.skip}
      </a>
      <div class="app">
        <nav class="nav" aria-label={words.nav.main}>
          <AccountSwitcher accounts={session.accounts} accountId={base} path={path} />
          {entries.filter(({ atFoot }) => atFoot !== true).map(link)}
          <div class="foot">
            <LiveIndicator />
            <HelpButton />
            {entries.filter(({ atFoot }) => atFoot === true).map(link)}
            <a href={addressOf(base, 'settings/you')}>
              <span class="avatar me" aria-hidden="true">
                {initialsOf(session.user.full_name) || <Icon name="user" />}
              </span>
              <span class="t cut" dir="auto">
                {session.user.full_name}
              </span>
            </a>
          </div>
        </nav>
        <div class="sheet">
          <header class="topbar">
            <b class="grow cut">{screen?.title ?? words.product}</b>
            <LiveIndicator isShort />
            <AccountSwitcher accounts={session.accounts} accountId={base} path={path} isShort />
          </header>
          <StateLines />
          <main id="main" class={screen?.fills === true ? 'fills' : 'wrap'} tabIndex={-1}>
            {account === undefined ? (
              <DeadEnd {...words.states.foreignAccount} home={addressOf(base, SCREENS[0].pattern)} />
            ) : screen === undefined ? (
              <DeadEnd {...words.states.notFound} home={addressOf(base, SCREENS[0].pattern)} />
            ) : (
              <Lazy
                key={`${accountId}/${screen.group ?? path}`}
                load={screen.load}
                title={screen.title}
                parameters={screen.parameters ?? {}}
              />
            )}
          </main>
        </div>
        <nav class="tabbar" aria-label={words.nav.short}>
          {entries.map(link)}
        </nav>
      </div>
      <Said />
      {account !== undefined && session.scopes.includes('conversations:read') && (
        <WaitingWatch key={account.account_id} account={account.account_id} />
      )}
      <ShortcutKeys entries={entries} base={base} path={path} />
      <Help entries={entries} />
      <SignedOutDialog user={session.user} />
    </>
  );
}

function NavigationLink({ entry, base, path }: { entry: NavigationEntry; base: string | null; path: string }) {
  const isCurrent = path === entry.marks || path.startsWith(`${entry.marks}/`);
  return (
    <a href={addressOfEntry(entry, base, path)} aria-current={isCurrent ? 'page' : undefined}>
      <Icon name={entry.icon} />
      <span class="t">{entry.label}</span>
      {entry.hasWaiting === true && <WaitingBadge />}
    </a>
  );
}
