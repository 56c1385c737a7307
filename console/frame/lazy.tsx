import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { LoadFailed } from '../parts/load-failed.js';
import { Skeleton } from '../parts/skeleton.js';
import { words } from '../words/en.js';
import { showTitle } from './page-title.js';
import { reloadOnce } from './reload-once.js';
import type { RouteParameters } from './route-match.js';
import { arrive } from './router.js';
import type { ScreenModule, ScreenProps } from './screen.js';

const loaded = new Map<() => Promise<ScreenModule>, ComponentType<ScreenProps>>();
const NONE: RouteParameters = {};

/** A screen, loaded when it is first shown. */
export function Lazy({ load, title, parameters = NONE }: LazyProps) {
  const screen = useSignal(loaded.get(load) ?? null);
  const error = useSignal<unknown>(null);
  const attempt = async (): Promise<void> => {
    error.value = null;
    try {
      const { Screen } = await load();
      loaded.set(load, Screen);
      // A component is a function, which a signal keeps as it is.
      screen.value = Screen;
    } catch (failure) {
      if (!(await reloadOnce())) error.value = failure;
    }
  };
  useEffect(() => {
    if (screen.value === null) void attempt();
  }, []);
  useLayoutEffect(() => {
    showTitle(title);
    if (screen.value !== null) arrive();
  }, [screen.value]);
  const Loaded = screen.value;
  if (Loaded !== null) return <Loaded parameters={parameters} />;
  if (error.value === null) return <Skeleton />;
  // A browser may keep the failure of a file for as long as the page lives.
  return <LoadFailed what={words.states.screen} error={error.value} retry={() => location.reload()} />;
}

interface LazyProps {
  readonly load: () => Promise<ScreenModule>;
  readonly title: string;
  readonly parameters?: RouteParameters;
}
