import { useSignal } from '@preact/signals';
import { accountId } from '../../data/account.js';
import { enterSends, notifies, sendsReceipts, sounds } from '../../data/preferences.js';
import { addressOf } from '../../frame/route-match.js';
import { Button } from '../../parts/button.js';
import { Notice } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { settingsWords } from '../../words/inbox-settings.js';
import { Setting } from '../settings-parts/setting.js';
import { SettingsParts } from '../settings-parts/settings-parts.js';

/** How the inbox behaves in this browser. */
export function Screen() {
  const { inbox, section, titles } = settingsWords;
  return (
    <>
      <header class="head">
        <div class="grow">
          <p class="crumb">{section}</p>
          <h1 tabIndex={-1}>{titles.inbox}</h1>
        </div>
      </header>
      <SettingsParts current="inbox" />
      <div class="stack">
        <Panel title={inbox.news} text={inbox.newsText}>
          <div class="body fields">
            <Notifications />
            <Setting label={inbox.sound} text={inbox.soundText} value={sounds}>
              <Button isSmall onPress={() => void listen()}>
                {inbox.try}
              </Button>
            </Setting>
          </div>
        </Panel>
        <Panel title={inbox.writing}>
          <div class="body fields">
            <Setting label={inbox.receipts} text={inbox.receiptsText} value={sendsReceipts} />
            <Setting label={inbox.enter} text={inbox.enterText} value={enterSends} />
            <p class="hint">
              {inbox.elsewhere}{' '}
              <a class="link" href={addressOf(accountId.value, 'settings/you')}>
                {titles.you}
              </a>
              .
            </p>
          </div>
        </Panel>
      </div>
    </>
  );
}

const listen = async (): Promise<void> => (await import('../../frame/chime.js')).chime();

/** Notifications, which the browser has to allow: it is asked only when somebody turns them on. */
function Notifications() {
  const { inbox } = settingsWords;
  const isThere = 'Notification' in window;
  const isRefused = useSignal(isThere && notifies.peek() && Notification.permission !== 'granted');
  const change = async (isOn: boolean): Promise<void> => {
    isRefused.value = false;
    if (!isOn) {
      notifies.value = false;
      return;
    }
    const answer = await Notification.requestPermission();
    notifies.value = answer === 'granted';
    isRefused.value = answer === 'denied';
  };
  if (!isThere) return <p class="hint">{inbox.missing}</p>;
  return (
    <>
      <Setting label={inbox.notify} text={inbox.notifyText} value={notifies} onChange={(isOn) => void change(isOn)} />
      {isRefused.value && <Notice kind="warn">{inbox.refused}</Notice>}
    </>
  );
}
