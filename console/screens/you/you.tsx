import { useSignal } from '@preact/signals';
import { queries } from '../../data/query.js';
import { session } from '../../data/session.js';
import { SignOutButton } from '../../frame/sign-out-button.js';
import { NewPassword } from '../../parts/new-password.js';
import { Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { words } from '../../words/en.js';
import { SettingsParts } from '../settings-parts/settings-parts.js';
import { Browser } from './browser.js';
import { SESSIONS, Sessions } from './sessions.js';

/** Settings of the person who has signed in. */
export function Screen() {
  const open = session.value;
  if (open === null) return null;
  const { you, roles } = words;
  const { full_name, email, role } = open.user;
  return (
    <>
      <header class="head">
        <div class="grow">
          <p class="crumb">{you.section}</p>
          <h1 tabIndex={-1}>{you.title}</h1>
        </div>
        <div class="actions">
          <SignOutButton />
        </div>
      </header>
      <SettingsParts current="you" />
      <div class="split">
        <div class="stack">
          <Panel title={you.sessions} text={you.sessionsText}>
            <Sessions />
          </Panel>
          <Panel title={you.password}>
            <ChangePassword email={email} />
          </Panel>
        </div>
        <div class="stack">
          <Panel title={you.profile}>
            <dl class="facts body">
              <dt>{you.name}</dt>
              <dd dir="auto">{full_name}</dd>
              <dt>{you.email}</dt>
              <dd>
                <bdi>{email}</bdi>
              </dd>
              <dt>{you.role}</dt>
              <dd>{roles[role] ?? role}</dd>
            </dl>
          </Panel>
          <Panel title={you.browser}>
            <Browser />
          </Panel>
        </div>
      </div>
    </>
  );
}

function ChangePassword({ email }: { email: string }) {
  const isChanged = useSignal(false);
  return (
    <div class="body narrow">
      <NewPassword
        email={email}
        submit={words.password.change}
        asksCurrent
        onSet={async () => {
          isChanged.value = true;
          await queries.invalidateQueries({ queryKey: SESSIONS });
        }}
      />
      {isChanged.value && <Notice>{words.password.changed}</Notice>}
    </div>
  );
}
