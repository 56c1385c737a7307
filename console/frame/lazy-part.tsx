import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { LoadFailed } from '../parts/load-failed.js';
import { reloadOnce } from './reload-once.js';

const loaded = new Map<unknown, unknown>();

type LazyPartProps<Props> = Props & {
  readonly load: () => Promise<ComponentType<Props>>;
  /** What should be here, for when it does not load. */
  readonly what: string;
};

/** A part of a screen that has a file of its own, loaded when it is first shown; nothing until it is there. */
export function LazyPart<Props extends object>({ load, what, ...rest }: LazyPartProps<Props>) {
  const part = useSignal(loaded.get(load) as ComponentType<Props> | undefined);
  const error = useSignal<unknown>(null);
  const attempt = async (otherwise: (failure: unknown) => unknown): Promise<void> => {
    try {
      const loadedPart = await load();
      loaded.set(load, loadedPart);
      // A component is a function, which a signal keeps as it is.
      part.value = loadedPart;
    } catch (failure) {
      await otherwise(failure);
    }
  };
  useEffect(() => {
    if (part.value !== undefined) return;
    void attempt(async (failure) => {
      if (!(await reloadOnce())) error.value = failure;
    });
  }, []);
  const Part = part.value;
  if (Part !== undefined) return <Part {...(rest as unknown as Props)} />;
  if (error.value === null) return null;
  // A browser may keep the failure of a file for as long as the page lives.
  return <LoadFailed what={what} error={error.value} retry={() => attempt(() => location.reload())} />;
}
