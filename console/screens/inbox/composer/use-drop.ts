import { type Signal, useSignal } from '@preact/signals';
import { type RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/**
 * Takes files that are dropped onto the thread of a part.
 *
 * @returns whether files are held over it
 */
export function useDrop(
  part: RefObject<HTMLElement | null>,
  isWanted: boolean,
  onFiles: (files: readonly File[]) => void,
): Signal<boolean> {
  const isOver = useSignal(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    const area = part.current?.closest<HTMLElement>('.thread') ?? null;
    if (area === null || !isWanted) return;
    // Each element inside is entered and left too.
    let depth = 0;
    const end = new AbortController();
    const listen = (type: 'dragenter' | 'dragover' | 'dragleave' | 'drop', handle: (event: DragEvent) => void): void =>
      area.addEventListener(
        type,
        (event) => {
          if (!hasFiles(event)) return;
          event.preventDefault();
          handle(event);
        },
        { signal: end.signal },
      );
    const count = (change: number): void => {
      depth = Math.max(0, depth + change);
      isOver.value = depth > 0;
    };
    listen('dragenter', () => count(1));
    listen('dragover', () => undefined);
    listen('dragleave', () => count(-1));
    listen('drop', ({ dataTransfer }) => {
      count(-depth);
      latest.current([...(dataTransfer?.files ?? [])]);
    });
    return () => {
      end.abort();
      isOver.value = false;
    };
  }, [isWanted]);
  return isOver;
}
