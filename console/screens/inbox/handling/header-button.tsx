import { letterHint } from '../../../frame/letter-hint.js';
import { Icon, type IconName } from '../../../parts/icon.js';

interface HeaderButtonProps {
  readonly icon: IconName;
  /** Hidden where there is no place, but always the name. */
  readonly label: string;
  /** Its name where the label alone says too little; contains the label. */
  readonly name?: string;
  readonly class?: string;
  /** The letter that does the same. */
  readonly letter?: string;
  readonly isOff?: boolean;
  /** Whether what it shows is shown; leave it out for actions. */
  readonly isPressed?: boolean;
  readonly onPress: () => void;
}

/** A button of the header: an icon with a word, in narrow panes the icon alone. */
export function HeaderButton({
  icon,
  label,
  name,
  class: extra,
  letter,
  isOff = false,
  isPressed,
  onPress,
}: HeaderButtonProps) {
  return (
    <button
      class={extra === undefined ? 'btn' : `btn ${extra}`}
      type="button"
      {...letterHint(label, letter)}
      aria-label={name ?? label}
      aria-pressed={isPressed}
      aria-disabled={isOff ? 'true' : undefined}
      onClick={() => {
        if (!isOff) onPress();
      }}
    >
      <span>
        <Icon name={icon} />
        <span class="t">{label}</span>
      </span>
    </button>
  );
}
