import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

/** A result within this time shows no interim state, milliseconds. */
const BUSY_AFTER_MS = 300;

interface ButtonProps {
  readonly children: ComponentChildren;
  /** By default the button submits its form. */
  readonly onPress?: () => void;
  /** The one of a view that leads on. */
  readonly isPrimary?: boolean;
  readonly isSmall?: boolean;
  readonly isBusy?: boolean;
  /** What it says while busy. */
  readonly busyLabel?: string;
  /** Says why it can’t be pressed instead of its label. */
  readonly refusal?: string | null;
  /** Its name where its label alone is ambiguous; contains the label. */
  readonly name?: string;
}

/** A button, which keeps its width while it is busy. */
export function Button(props: ButtonProps) {
  const {
    children,
    onPress,
    isPrimary = false,
    isSmall = false,
    isBusy = false,
    busyLabel,
    refusal = null,
    name,
  } = props;
  const busy = useSignal(isBusy);
  const saysBusy = useSignal(false);
  useEffect(() => {
    busy.value = isBusy;
  }, [isBusy]);
  useSignalEffect(() => {
    saysBusy.value = false;
    if (!busy.value) return;
    const timer = setTimeout(() => {
      saysBusy.value = true;
    }, BUSY_AFTER_MS);
    return () => clearTimeout(timer);
  });
  const isOff = isBusy || refusal !== null;
  const press = (event: MouseEvent): void => {
    if (isOff) event.preventDefault();
    else onPress?.();
  };
  const classes = ['btn', isPrimary && 'primary', isSmall && 'sm'].filter(Boolean).join(' ');
  return (
    <button
      class={classes}
      type={onPress === undefined ? 'submit' : 'button'}
      aria-disabled={isOff ? 'true' : undefined}
      aria-label={name}
      onClick={press}
    >
      <span class={saysBusy.value && busyLabel !== undefined ? 'kept' : undefined}>{refusal ?? children}</span>
      {saysBusy.value && busyLabel !== undefined && <span>{busyLabel}</span>}
    </button>
  );
}
