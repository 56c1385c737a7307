import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { words } from '../words/en.js';

/** What loads faster shows nothing meanwhile, milliseconds. */
const SHOWN_AFTER_MS = 150;

/** The outline of rows that are on their way. */
export function Skeleton({ rows = 3 }: { rows?: number }) {
  const isShown = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      isShown.value = true;
    }, SHOWN_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown.value) return null;
  return (
    <div class="skeleton" role="status" aria-label={words.states.loading}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  );
}
