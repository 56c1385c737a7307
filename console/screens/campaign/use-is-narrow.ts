import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Where the columns of a table have no room. */
const NARROW = '(max-width: 59.99rem)';

/** Whether the page is too narrow for the columns of a table. */
export function useIsNarrow(): boolean {
  const isNarrow = useSignal(matchMedia(NARROW).matches);
  useEffect(() => {
    const query = matchMedia(NARROW);
    const change = (): void => {
      isNarrow.value = query.matches;
    };
    change();
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return isNarrow.value;
}
