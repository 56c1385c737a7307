import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { endsWithin } from '../../src/values/ends-within.js';
import { ROOT } from '../sandbox/program.js';
import { inherited } from '../support/inherited.js';
import { Hopeless, until } from '../support/until.js';

const BUILD = path.join(ROOT, 'dist');
/**
 * How long a program may take to end after SIGTERM on a busy machine, milliseconds. By its own clock, which stands still
 * with it, Parley ends within 30 s.
 */
export const ENDS_WITHIN_MS = 120_000;
/** Characters of output to keep. */
const MAX_OUTPUT = 200_000;

/** Runs a program of the build as a separate process: Parley or the simulator. */
export class FaultProcess {
  private static readonly started = new Set<FaultProcess>();
  /** The last {@link MAX_OUTPUT} characters of its output. */
  output = '';
  /** Bytes of output in total. */
  written = 0;
  /** Exit code or signal, and time of exit. */
  readonly exit: Promise<{ readonly how: number | NodeJS.Signals | null; readonly at: number }>;

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.written += chunk.length;
        this.output = (this.output + chunk).slice(-MAX_OUTPUT);
      });
    }
    this.exit = new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ how: code ?? signal, at: Date.now() }));
    });
    FaultProcess.started.add(this);
  }

  /** Kills all processes that are still running. */
  static async killAll(): Promise<void> {
    await Promise.all([...FaultProcess.started].map((process) => process.kill()));
    FaultProcess.started.clear();
  }

  /**
   * Starts Parley and waits until it listens or, without the api role, processes its queues.
   *
   * @param build the directory of the build
   */
  static async service(
    env: Readonly<Record<string, string>>,
    build = BUILD,
  ): Promise<{ process: FaultProcess; baseUrl: string }> {
    const service = FaultProcess.run('src/main.js', env, build);
    const [, baseUrl = ''] = await service.untilOutput(/Parley (?:processes its queues|listens on (http:\S+))/);
    return { process: service, baseUrl };
  }

  /** Starts the simulator, which exits when its stdin closes. */
  static async simulator(options: object): Promise<{ process: FaultProcess; url: string }> {
    const simulator = FaultProcess.run('simulator/main.js', {});
    simulator.child.stdin?.write(`${JSON.stringify(options)}\n`);
    const [, url = ''] = await simulator.untilOutput(/"url":"(http:[^"]+)"/);
    return { process: simulator, url };
  }

  private static run(program: string, env: Readonly<Record<string, string>>, build = BUILD): FaultProcess {
    return new FaultProcess(
      spawn(process.execPath, [path.join(build, program)], {
        cwd: ROOT,
        env: { ...inherited(), ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    );
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** The end of its output. */
  get lastWords(): string {
    return this.output.slice(-4000);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Ends it at once. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.exit;
  }

  /** How it ended; undefined if it does not within {@link ENDS_WITHIN_MS}. */
  async ends(): Promise<Awaited<FaultProcess['exit']> | undefined> {
    return (await endsWithin(this.exit, ENDS_WITHIN_MS)) ? this.exit : undefined;
  }

  /** Stops it gracefully, or with SIGKILL after `patienceMs`. */
  async stop(patienceMs = ENDS_WITHIN_MS): Promise<void> {
    if (!this.running) return;
    this.child.kill('SIGTERM');
    const force = setTimeout(() => this.child.kill('SIGKILL'), patienceMs);
    await this.exit;
    clearTimeout(force);
  }

  private untilOutput(pattern: RegExp): Promise<RegExpExecArray> {
    return until(`the program prints ${pattern}`, () => {
      const found = pattern.exec(this.output);
      if (found === null && !this.running) throw new Hopeless(`it exited during startup:\n${this.lastWords}`);
      return found;
    });
  }
}
