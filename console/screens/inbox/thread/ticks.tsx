import { Icon, type IconName } from '../../../parts/icon.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';

const ICONS: Readonly<Record<string, IconName>> = {
  pending: 'clock',
  accepted: 'clock',
  sent: 'check',
  delivered: 'checks',
  read: 'checks',
  clicked: 'checks',
  failed: 'alert',
};

/** How far a message of ours got. */
export function Ticks({ status }: { status: string }) {
  const text = words.states[status] ?? status;
  const isRead = status === 'read' || status === 'clicked';
  return (
    <span class={isRead ? 'ticks read' : 'ticks'} title={text}>
      <Icon name={ICONS[status] ?? 'clock'} />
      <span class="hide">{text}</span>
    </span>
  );
}
