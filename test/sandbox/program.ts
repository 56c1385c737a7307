import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { outputOf } from '../support/commands.js';
import { inherited } from '../support/inherited.js';
import { Hopeless, until } from '../support/until.js';

export const ROOT = path.resolve(__dirname, '../..');
/** How long the last output of a program may take to arrive when it has ended: what it has started may hold it open. */
const LAST_OUTPUT_MS = 30_000;

/** Resolves with how a program has ended, once its output is complete or does not come to an end. */
export const endOf = (child: ChildProcess): Promise<number | NodeJS.Signals | null> =>
  new Promise((resolve) => {
    let late: NodeJS.Timeout | undefined;
    const end = (code: number | null, signal: NodeJS.Signals | null): void => {
      clearTimeout(late);
      resolve(code ?? signal);
    };
    child.once('exit', (code, signal) => {
      late = setTimeout(() => end(code, signal), LAST_OUTPUT_MS);
    });
    child.once('close', end);
  });

/** A process under test, with all its output. */
export class Program {
  private static readonly started = new Set<Program>();
  stdout = '';
  stderr = '';
  readonly exit: Promise<number | NodeJS.Signals | null>;
  /** Whether it has ended and all its output has arrived, which may be a moment later. */
  private isOver = false;

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.exit = endOf(child).then((how) => {
      this.isOver = true;
      return how;
    });
    Program.started.add(this);
  }

  /** Runs a script from scripts/ with only these variables, and what every program of a test inherits. */
  static script(name: string, env: Record<string, string>, args: string[] = []): Program {
    return Program.run([path.join(ROOT, 'scripts', name), ...args], env);
  }

  /** Runs a module given as source text; relative imports resolve from the checkout. */
  static module(source: string, env: Record<string, string> = {}): Program {
    const absolute = source.replaceAll("'./", `'${pathToFileURL(ROOT).href}/`);
    return Program.run(['--input-type=module', '-e', absolute], env);
  }

  /**
   * Runs a module that prepares something, announces it, and on SIGTERM takes leave and exits with 0. It announces last:
   * a test that has read the line may signal at once.
   *
   * @param setup statements that prepare it
   * @param announce the expression to print
   * @param leave statements that run on SIGTERM
   */
  static resident(
    { setup, announce, leave }: { readonly setup: string; readonly announce: string; readonly leave: string },
    env: Record<string, string> = {},
  ): Program {
    const source = `
      ${setup}
      const alive = setInterval(() => {}, 1000);
      const signalled = new Promise((resolve) => process.once('SIGTERM', resolve));
      console.log(${announce});
      await signalled;
      clearInterval(alive);
      ${leave}`;
    return Program.module(source, env);
  }

  private static run(args: string[], env: Record<string, string>): Program {
    // Scripts build, and what they build must be what the other tests run.
    const { EXTENSIONS_DIR = '' } = process.env;
    return new Program(
      spawn(process.execPath, args, {
        cwd: ROOT,
        env: { ...inherited(), EXTENSIONS_DIR, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    );
  }

  /** Kills everything a test has left running. */
  static async killAll(): Promise<void> {
    for (const program of Program.started) program.kill('SIGKILL');
    // What they have started may keep their output open; test/leftovers.mjs ends that.
    await until('the programs have ended', () => [...Program.started].every(({ running }) => !running));
    Program.started.clear();
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`the program did not start: ${this.stderr}`);
    return this.child.pid;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Waits for a condition while the program runs; rejects with its output once it has ended. */
  async until<T>(what: string, look: () => T | undefined | false, timeoutMs?: number): Promise<T> {
    const found = () => {
      const seen = look();
      if (!seen && this.isOver) throw new Hopeless(`it ended before ${what}:\n${this.stdout}${this.stderr}`);
      return seen;
    };
    return until(what, found, timeoutMs);
  }
}

/** Whether a process is alive; a zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = `/proc/${pid}/stat`;
  return !existsSync(status) || !/^\d+ \(.*\) [ZX] /.test(readFileSync(status, 'latin1'));
}

export function temporaryDirectory(): string {
  return mkdtempSync(path.join(tmpdir(), 'parley-test-'));
}

/** Stops the PostgreSQL clusters and simulators that a test left in a data directory, and deletes it. */
export function removeDataDirectory(dataDir: string): void {
  if (!existsSync(dataDir)) return;
  const record = path.join(dataDir, 'simulator.json');
  if (existsSync(record)) killQuietly(JSON.parse(readFileSync(record, 'utf8')).pid);
  const clusters = readdirSync(dataDir).flatMap((file) => /^(postgres.*)\.json$/.exec(file)?.[1] ?? []);
  for (const name of clusters) {
    const source = `
      import { removePostgres } from '${pathToFileURL(path.join(ROOT, 'scripts', 'pg.mjs')).href}';
      await removePostgres(${JSON.stringify({ dataDir, name })});`;
    outputOf(process.execPath, ['--input-type=module', '-e', source], { cwd: ROOT });
  }
  rmSync(dataDir, { recursive: true, force: true });
}

/** Kills a process that may have ended by itself. */
export function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone, which is what was wanted.
  }
}
