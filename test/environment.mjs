// The environment of every test file (jest.config.js): that of jest for Node, with these changes.
// - The files of a worker share one environment, and in it the modules of Parley and of libraries (runtime.mjs). Unit
//   tests beside the code have environments of their own, and so does a file that begins with `/** @own-modules */`: it
//   leaves something behind in modules, such as another time.
// - Its global is an ordinary one. With that of jest, reading `Object` or `Math` costs as much as a call of a function
//   that asks a proxy, and code reads globals all the time.
// - The bundled libraries (scripts/test-libraries.mjs) are compiled once per worker, not once per environment.
// - Timers end with the file. When the queue is away while a process stops, BullMQ and ioredis leave timers behind, one
//   of which renews itself for ever. The real program exits; a jest worker would go on running them beside the next
//   files, and not end by itself.
// - So do asynchronous contexts, each of which makes every promise of the process dearer once it was entered, and
//   observers of performance, each of which would keep all modules of its file.
// - A file fails that leaves a process, a server, a timer or a file behind, and that is ended (leftovers.mjs).
// - What each file has cost is written down on demand (costs.mjs).
import asyncHooks from 'node:async_hooks';
import fs from 'node:fs';
import path from 'node:path';
import perfHooks from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';
import { recordCost } from './costs.mjs';
import { Leftovers } from './leftovers.mjs';
import { isInTests } from './test-folders.mjs';

const { AsyncLocalStorage } = asyncHooks;
const { PerformanceObserver, monitorEventLoopDelay } = perfHooks;

setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc');
/** A worker whose heap is larger is replaced (jest.config.js), and a new one compiles everything again. */
const COLLECT_ABOVE_BYTES = 350e6;

/** @type {vm.Script | undefined} */
let compiled;

/** The bundle as a function of a CommonJS module; undefined without a bundle. */
function libraries() {
  const directory = process.env.TEST_LIBRARIES;
  if (directory === undefined || compiled !== undefined) return compiled;
  const filename = path.join(directory, 'bundle.txt');
  const code = fs.readFileSync(filename, 'utf8');
  compiled = new vm.Script(`(function (module, require, __filename) {${code}\n})`, { filename });
  return compiled;
}

/** Modules that were loaded before their source changed must not serve a later run, and each file has its coverage. */
const shares = ({ globalConfig, projectConfig }, { testPath, docblockPragmas }) =>
  isInTests(testPath, projectConfig) &&
  !('own-modules' in docblockPragmas) &&
  !globalConfig.watch &&
  !globalConfig.watchAll &&
  !globalConfig.collectCoverage;

/** A timer of less, milliseconds, ends by itself while the file's leftovers are looked for. */
const SHORT_MS = 1000;

/** What jest keeps in globals for one file: its hooks, its tests, its time limit. */
const OF_JEST = /^(?:JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL)$/;

/** The globals of an environment as no file has changed them yet. */
class Globals {
  #global;
  #values;
  #exit;
  #env;

  constructor(global) {
    this.#global = global;
    // jest gives each file a console.
    const { console: _, ...values } = Object.getOwnPropertyDescriptors(global);
    this.#values = Object.entries(values).filter(([, descriptor]) => descriptor.configurable && 'value' in descriptor);
    this.#exit = global.process.exit;
    this.#env = { ...global.process.env };
  }

  restore() {
    const { process } = this.#global;
    for (const [name, descriptor] of this.#values) {
      if (this.#global[name] !== descriptor.value) Object.defineProperty(this.#global, name, descriptor);
    }
    for (const symbol of Object.getOwnPropertySymbols(this.#global)) {
      if (OF_JEST.test(symbol.description)) delete this.#global[symbol];
    }
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#env)) delete process.env[name];
    Object.assign(process.env, this.#env);
  }
}

class Environment extends TestEnvironment {
  /** Where each was set. @type {Map<NodeJS.Timeout, Error>} */
  #timers = new Map();
  /** @type {Leftovers | undefined} */
  #leftovers;
  /** @type {(() => void)[]} */
  #endings = [];
  #isEnding = false;
  /** @type {Set<WeakRef<AsyncLocalStorage>>} */
  #storages = new Set();
  #isShared;
  #runtime;
  #globals;
  /** The file that runs. */
  testPath;

  constructor(config, context, isShared) {
    super(config, context);
    this.#isShared = isShared;
    this.global.loadLibraries = libraries()?.runInContext(this.context);
    this.#recordTimers();
    this.#globals = new Globals(this.global);
  }

  /** The loader of what files share, which `make` makes; undefined in an environment of one file. */
  sharedRuntime(make) {
    if (this.#isShared) this.#runtime ??= make();
    return this.#runtime;
  }

  async setup() {
    await super.setup();
    this.#isEnding = false;
    this.#leftovers = new Leftovers(this.testPath, this.global, () => this.#placesOfTimers());
    const [endings, storages] = [this.#endings, this.#storages];
    asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
      constructor(options) {
        super(options);
        storages.add(new WeakRef(this));
      }
    };
    perfHooks.PerformanceObserver = class extends PerformanceObserver {
      constructor(callback) {
        super(callback);
        endings.push(() => this.disconnect());
      }
    };
    perfHooks.monitorEventLoopDelay = (options) => {
      const histogram = monitorEventLoopDelay(options);
      endings.push(() => histogram.disable());
      return histogram;
    };
  }

  /** Keeps the timers that are set, so that they can end with the file. */
  #recordTimers() {
    for (const kind of ['setTimeout', 'setInterval']) {
      const set = this.global[kind];
      const recorded = (work, ms, ...rest) => {
        const timer = set(
          (...given) => {
            if (kind === 'setTimeout') this.#timers.delete(timer);
            work.apply(timer, given);
          },
          ms,
          ...rest,
        );
        this.#timers.set(timer, this.#placeOf(recorded, kind, ms));
        return timer;
      };
      // Keeps `util.promisify.custom`.
      this.global[kind] = Object.defineProperties(recorded, Object.getOwnPropertyDescriptors(set));
    }
    for (const kind of ['clearTimeout', 'clearInterval']) {
      const clear = this.global[kind];
      this.global[kind] = (timer) => {
        this.#timers.delete(timer);
        clear(timer);
      };
    }
  }

  /** Finding it is dear. What renews itself is set once more while the file ends. */
  #placeOf(setter, kind, ms = 0) {
    return kind === 'setTimeout' && ms < SHORT_MS && !this.#isEnding ? {} : placeOf(setter);
  }

  /** What circus tells about the tests of the file. */
  async handleTestEvent({ name }, state) {
    if (name !== 'run_finish' || hasFailed(state)) return;
    this.#isEnding = true;
    const left = (await this.#leftovers?.found()) ?? [];
    if (left.length > 0) state.unhandledErrors.push(new Error(`The file has left behind:\n${left.join('\n')}`));
  }

  /** Of timers that keep the process alive, but for those of libraries, which often leave some behind. */
  #placesOfTimers() {
    const kept = [...this.#timers].filter(([timer]) => timer.hasRef());
    const places = kept.map(([, { stack = '' }]) => /at (.*)/.exec(stack)?.[1] ?? 'somewhere');
    return places.filter((place) => !/[\\/]node_modules[\\/]/.test(place));
  }

  async teardown() {
    await this.#leftovers?.end();
    for (const timer of this.#timers.keys()) this.#end(timer);
    Object.assign(asyncHooks, { AsyncLocalStorage });
    Object.assign(perfHooks, { PerformanceObserver, monitorEventLoopDelay });
    for (const end of this.#endings.splice(0)) end();
    for (const reference of this.#storages) {
      const storage = reference.deref();
      if (storage === undefined) this.#storages.delete(reference);
      else storage.disable();
    }
    if (this.#isShared) this.#tidy();
    else await super.teardown();
    if (process.memoryUsage().heapUsed > COLLECT_ABOVE_BYTES) collectGarbage();
    if (process.env.TEST_COSTS !== undefined) recordCost(this.testPath);
  }

  /** Shared modules go on using timers of their own; they let a process end in spite of them. */
  #end(timer) {
    if (this.#isShared && !timer.hasRef()) return;
    this.#timers.delete(timer);
    clearTimeout(timer);
  }

  /** Leaves the next file what this one found. */
  #tidy() {
    this.fakeTimersModern.useRealTimers();
    this.#globals.restore();
  }
}

/** Of a timer. A stack is only written out when it is read. */
function placeOf(setter) {
  const place = {};
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 3;
  Error.captureStackTrace(place, setter);
  Error.stackTraceLimit = stackTraceLimit;
  return place;
}

const hasFailed = ({ unhandledErrors, rootDescribeBlock }) =>
  unhandledErrors.length > 0 || hasErrors(rootDescribeBlock);

const hasErrors = ({ children }) =>
  children.some((child) => (child.type === 'test' ? child.errors.length > 0 : hasErrors(child)));

/** Makes an environment whose global is an ordinary one. */
function makeEnvironment(...parameters) {
  const { createContext } = vm;
  vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
  try {
    return new Environment(...parameters);
  } finally {
    vm.createContext = createContext;
  }
}

/** The environment that the files of this worker share. */
let shared;

/** What jest calls with `new` for each file. */
// biome-ignore lint/style/noDefaultExport: jest loads an environment from it
export default function EnvironmentOfFile(config, context) {
  const isShared = shares(config, context);
  if (isShared) shared ??= makeEnvironment(config, context, true);
  const environment = isShared ? shared : makeEnvironment(config, context, false);
  environment.testPath = context.testPath;
  return environment;
}
