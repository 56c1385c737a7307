import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { LoadFailed } from '../parts/load-failed.js';
import { words } from '../words/en.js';
import { reloadOnce } from './reload-once.js';

const loaded = new Map<unknown, unknown>();

type LazyPartProps<Props> = Props & { readonly load: () => Promise<ComponentType<Props>> };

/** A part of a screen that has a file of its own, loaded when it is first shown; nothing until it is there. */
export function LazyPart<Props extends object>({ load, ...rest }: LazyPartProps<Props>) {
  const part = useSignal(loaded.get(load) as ComponentType<Props> | undefined);
  const error = useSignal<unknown>(null);
  useEffect(() => {
    if (part.value !== undefined) return;
    load().then(
      (loadedPart) => {
        loaded.set(load, loadedPart);
        part.value = loadedPart;
      },
      async (failure: unknown) => {
        if (!(await reloadOnce())) error.value = failure;
      },
    );
  }, []);
  const Part = part.value;
  if (Part !== undefined) return <Part {...(rest as unknown as Props)} />;
  if (error.value === null) return null;
  return <LoadFailed what={words.states.screen} error={error.value} retry={() => location.reload()} />;
}
