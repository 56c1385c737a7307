import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';
import type { NoticeKind } from './notice-kind.js';

const ICONS = { calm: 'checks', warn: 'pause', bad: 'alert' } as const;

/** Something to read before going on. One that somebody has to act on is read aloud at once. */
export function Notice({ kind = 'calm', children }: { kind?: NoticeKind; children: ComponentChildren }) {
  return (
    <div class={kind === 'calm' ? 'notice' : `notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={ICONS[kind]} />
      <p>{children}</p>
    </div>
  );
}
