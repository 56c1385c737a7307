import { type INestApplicationContext, Logger } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { endsWithin, type Shutdown, type ShutdownPhase } from './shutdown.js';

/** Says what is lost, or left to others, when a provider is not given the time to finish. */
export interface LeavesUnfinished {
  /** In a few words, such as `12 outcomes of sends`; null when there is nothing. */
  unfinished(): string | null;
}

const HOOKS = {
  beforeApplicationShutdown: 'work',
  onApplicationShutdown: 'connections',
} as const satisfies Record<string, ShutdownPhase>;

type HookName = keyof typeof HOOKS;
type Hooked = Partial<Record<HookName, (signal?: string) => unknown>> & Partial<LeavesUnfinished>;

/**
 * Bounds the shutdown hooks of every provider, those of libraries included: all hooks of one phase run side by side, and
 * whoever has not finished when the phase ends is left behind. Nest would run them one module after the other, for as long
 * as each of them likes, so that a single server that is away would keep everything else from being finished.
 */
export function boundShutdownHooks(app: INestApplicationContext, shutdown: Shutdown): void {
  const instances = instancesOf(app);
  for (const name of Object.keys(HOOKS) as HookName[]) boundHook(name, instances, shutdown);
}

function instancesOf(app: INestApplicationContext): Set<Hooked> {
  const instances = new Set<Hooked>();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { instance } of [...module.providers.values(), ...module.controllers.values()]) {
      if (typeof instance === 'object' && instance !== null) instances.add(instance as Hooked);
    }
  }
  return instances;
}

function boundHook(name: HookName, instances: ReadonlySet<Hooked>, shutdown: Shutdown): void {
  const hooks = new Map([...instances].flatMap((instance) => hookOf(instance, name)));
  let endings: ReadonlyMap<Hooked, Promise<void>> | null = null;
  const runAll = () => new Map([...hooks].map(([instance, run]) => [instance, finish(instance, run, name, shutdown)]));
  for (const instance of hooks.keys()) {
    instance[name] = () => {
      endings ??= runAll();
      return endings.get(instance);
    };
  }
}

function hookOf(instance: Hooked, name: HookName): [Hooked, () => unknown][] {
  const hook = instance[name];
  return typeof hook === 'function' ? [[instance, () => hook.call(instance)]] : [];
}

/** Runs one hook for as long as its phase lasts. A failure is logged and costs nobody else their turn. */
async function finish(instance: Hooked, run: () => unknown, name: HookName, shutdown: Shutdown): Promise<void> {
  const logger = new Logger('Shutdown');
  const who = instance.constructor.name;
  try {
    if (await endsWithin(Promise.resolve(run()), shutdown.remaining(HOOKS[name]))) return;
    const left = instance.unfinished?.() ?? null;
    logger.warn(`${who} ran out of time${left === null ? '' : ` and leaves ${left}`}`);
  } catch (error) {
    logger.error(`${who} failed to stop: ${(error as Error).message}`, (error as Error).stack, 'Shutdown');
  }
}
