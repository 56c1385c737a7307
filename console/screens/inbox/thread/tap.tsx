import { Icon } from '../../../parts/icon.js';

/** A button that a message of ours has; here it does nothing. */
export function Tap({ icon, text }: { icon: 'reply' | 'external'; text: string }) {
  return (
    <p class="tap">
      <Icon name={icon} />
      <span dir="auto">{text}</span>
    </p>
  );
}
