import type { ChangeRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { session } from '../../../data/session.js';
import { Icon, type IconName } from '../../../parts/icon.js';
import { changeText } from './change-text.js';
import { MessageTime } from './message-time.js';

const ICONS: Readonly<Record<ChangeRecord['kind'], IconName>> = {
  assigned: 'user',
  unassigned: 'user',
  resolved: 'check',
  reopened: 'refresh',
};

/** What has happened to the conversation, in words. */
export function ChangeLine({ id, change, at }: { id: string; change: ChangeRecord; at: string }) {
  return (
    <p class="event num" data-key={id} tabIndex={-1}>
      <Icon name={ICONS[change.kind]} />
      <span dir="auto">{changeText(change, session.value?.user.user_id ?? null)}</span>
      <MessageTime at={at} />
    </p>
  );
}
