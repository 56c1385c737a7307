import type { ComponentChildren } from 'preact';
import { Icon } from './icon.js';

/** Something to read before going on. One that somebody has to act on is read aloud at once. */
export function Notice({ kind = 'calm', children }: { kind?: 'calm' | 'bad'; children: ComponentChildren }) {
  return (
    <div class={kind === 'bad' ? 'notice bad' : 'notice'} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={kind === 'bad' ? 'alert' : 'checks'} />
      <p>{children}</p>
    </div>
  );
}
