import { type INestApplicationContext, Logger } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { endsWithin } from '../values/ends-within.js';
import type { Shutdown, ShutdownPhase } from './shutdown.js';

/** Reports what a provider leaves unfinished when it runs out of time. */
export interface LeavesUnfinished {
  /** A few words for the log, such as `12 send outcomes`; null when nothing is unfinished. */
  unfinished(): string | null;
}

const HOOKS = {
  beforeApplicationShutdown: 'work',
  onApplicationShutdown: 'connections',
} as const satisfies Record<string, ShutdownPhase>;

type HookName = keyof typeof HOOKS;
type Hooked = Partial<Record<HookName, (signal?: string) => unknown>> & Partial<LeavesUnfinished>;

/**
 * Puts a time limit on the shutdown hooks of every provider, including those of libraries. All hooks of a phase run in
 * parallel, and those still running when the phase ends are abandoned. Nest would run them module by module without a
 * limit, so one unreachable server would keep everything else from finishing.
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

/** Runs one hook until its phase ends. A failure is logged and does not affect other hooks. */
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
