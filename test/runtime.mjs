// The module loader of test files (jest.config.js). That of jest loads every module anew for each file, and starting a
// service from cold modules costs more than most files do afterwards: they are found, compiled, evaluated, and then run
// by an interpreter until V8 has optimised them once more. Here the files of a worker share the modules of Parley, of
// libraries and of test/support, as all services of one file do. Each file loads its own tests anew.
import Runtime from 'jest-runtime';
import { isOfTests } from './test-folders.mjs';

/** The part of jest that holds the tests of one file. */
const RUNNER = /[\\/]node_modules[\\/]jest-circus[\\/]/;

// biome-ignore lint/style/noDefaultExport: jest loads a runtime from it
export default class extends Runtime {
  /** @type {Runtime | undefined} loads what files share; undefined in a file that shares nothing (environment.mjs) */
  #shared;
  #resolver;
  #config;

  constructor(config, environment, resolver, ...rest) {
    super(config, environment, resolver, ...rest);
    this.#resolver = resolver;
    this.#config = config;
    this.#shared = environment.sharedRuntime(() => new Runtime(config, environment, resolver, ...rest));
    // One map of source maps, so that those of shared modules are found, and each is read once.
    if (this.#shared !== undefined) this.transformCache.sourceMaps = this.#shared.getSourceMaps();
  }

  requireModule(from, moduleName, options, isRequireActual) {
    return this.#isShared(from, moduleName)
      ? this.#shared.requireModule(from, moduleName, options, isRequireActual)
      : super.requireModule(from, moduleName, options, isRequireActual);
  }

  /** Setup files and the test file, which come without a name, and jest's runner are this file's own. */
  #isShared(from, moduleName) {
    if (this.#shared === undefined || moduleName === undefined) return false;
    if (this.#resolver.isCoreModule(moduleName)) return false;
    const file = this._resolution.resolveCjs(from, moduleName);
    return !isOfTests(file, this.#config) && !RUNNER.test(file);
  }
}
