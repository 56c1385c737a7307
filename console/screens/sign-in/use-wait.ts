import { type Signal, useSignal, useSignalEffect } from '@preact/signals';

/** A wait that counts down. */
export interface Wait {
  /** Seconds that are left; 0 when there is nothing to wait for. */
  readonly seconds: Signal<number>;
  begin(seconds: number): void;
}

const SECOND_MS = 1000;

/** Counts down the seconds that Parley asks to wait. */
export function useWait(): Wait {
  const [seconds, until] = [useSignal(0), useSignal(0)];
  useSignalEffect(() => {
    const end = until.value;
    const count = (): void => {
      seconds.value = Math.max(0, Math.ceil((end - performance.now()) / SECOND_MS));
      if (seconds.peek() === 0) clearInterval(timer);
    };
    const timer = setInterval(count, SECOND_MS);
    count();
    return () => clearInterval(timer);
  });
  return {
    seconds,
    begin(wanted) {
      until.value = performance.now() + wanted * SECOND_MS;
    },
  };
}
