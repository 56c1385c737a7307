import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Where list, thread and person have room beside each other. */
const WIDE = '(min-width: 75rem)';

/** Whether the person stands beside the thread. */
export function useIsBeside(): boolean {
  const isBeside = useSignal(matchMedia(WIDE).matches);
  useEffect(() => {
    const query = matchMedia(WIDE);
    const change = (): void => {
      isBeside.value = query.matches;
    };
    change();
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return isBeside.value;
}
