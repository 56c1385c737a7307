import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Where list, thread and person have room beside each other. */
const WIDE = '(min-width: 75rem)';
/** Where only one of them has. */
const NARROW = '(max-width: 47.99rem)';

/** Whether the person stands beside the thread, whatever somebody asks for. */
export const useIsBeside = (): boolean => useMatches(WIDE);

/** Whether the person takes the whole window. */
export const useIsWhole = (): boolean => useMatches(NARROW);

function useMatches(media: string): boolean {
  const matches = useSignal(matchMedia(media).matches);
  useEffect(() => {
    const query = matchMedia(media);
    const change = (): void => {
      matches.value = query.matches;
    };
    change();
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  return matches.value;
}
