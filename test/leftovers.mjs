// What a test file must not leave behind (environment.mjs): it would go on beside the files that follow, or for ever.
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { processesIn } from '../scripts/processes-in.mjs';

/**
 * How long a file's processes and servers may take to be gone after its last test, milliseconds: on a busy machine one
 * that has been told to end does not end at once.
 */
const GRACE_MS = Number(process.env.TEST_GRACE_MS ?? 60_000);
const CHECK_INTERVAL_MS = 50;
/** How long each of what is left may take to end. */
const END_TIMEOUT_MS = 20_000;
/** Where test/support/left-open.ts keeps what is open: what it is → how to end it. */
const OPEN = Symbol.for('parley.left-open');

/** Gives a test file a folder as TMPDIR, finds what it has left when its tests have ended, and ends that. */
export class Leftovers {
  #global;
  #folder;
  #outer = process.env.TMPDIR;
  /** Servers of files before, and of jest. */
  #known = new WeakSet(servers());
  #timers;

  /**
   * @param testPath the file
   * @param global that of its environment
   * @param timers returns where each timer was set that has not ended
   */
  constructor(testPath, global, timers) {
    this.#global = global;
    this.#timers = timers;
    const name = path.basename(testPath).replace(/\.spec\.ts$/, '');
    this.#folder = fs.mkdtempSync(path.join(os.tmpdir(), `${name}-`));
    // Programs that a test starts as another user must be able to pass.
    fs.chmodSync(this.#folder, 0o711);
    process.env.TMPDIR = this.#folder;
    global.process.env.TMPDIR = this.#folder;
  }

  /** What is left, in words; waits a while until nothing is. */
  async found() {
    for (const deadline = performance.now() + GRACE_MS; ; ) {
      const left = this.#look();
      if (left.length === 0 || performance.now() > deadline) return left;
      await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
    }
  }

  #look() {
    return [
      ...[...this.#open().values()].map(({ what }) => what),
      ...processesIn(this.#folder).map(({ pid, command }) => `process ${pid}: ${command}`),
      ...this.#servers().map((server) => `server at ${JSON.stringify(server.address())}`),
      ...this.#timers().map((place) => `timer, set ${place}`),
      ...fs.readdirSync(this.#folder).map((name) => `in TMPDIR: ${name}`),
    ];
  }

  /** Ends all that is left, and removes the folder. */
  async end() {
    for (const { what, end } of this.#open().values()) {
      await Promise.race([end(), late(what)]).catch((error) => console.error(error));
    }
    this.#open().clear();
    for (const server of this.#servers()) {
      server.closeAllConnections?.();
      server.close();
    }
    for (const { pid } of processesIn(this.#folder)) kill(pid);
    if (this.#outer === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = this.#outer;
    fs.rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  #open() {
    return this.#global[OPEN] ?? new Map();
  }

  #servers() {
    return servers().filter((server) => !this.#known.has(server));
  }
}

/** The servers of this process that listen. */
function servers() {
  return process._getActiveHandles().filter((handle) => handle instanceof net.Server && handle.listening);
}

function late(what) {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`${what} did not end within ${END_TIMEOUT_MS} ms`)), END_TIMEOUT_MS).unref();
  });
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
