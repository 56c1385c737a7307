import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endOf, killQuietly, ROOT } from '../sandbox/program.js';

const SCRIPTS = ['ci', 'ci-step', 'ci-events', 'ci-summary', 'ci-reporter', 'process-family', 'process-identity'];

/** A test file as a run of jest in the plan reports it. */
export interface PlannedFile {
  readonly file: string;
  readonly passed?: number;
  /** Messages by title. */
  readonly failed?: Readonly<Record<string, string>>;
  /** What was thrown outside of the tests. */
  readonly broken?: string;
  readonly seconds?: number;
  /** It starts and does not end. */
  readonly runs?: boolean;
}

/** What one call of npm does. */
export interface Turn {
  readonly files?: readonly PlannedFile[];
  readonly output?: string;
  readonly code?: number;
  /** Jest dies before the other files run. */
  readonly dies?: boolean;
  /** `deaf`: with a child that ignores SIGTERM. */
  readonly hangs?: boolean | 'deaf';
  /** Ends, and leaves a process that holds its output. */
  readonly leaves?: boolean;
}

/** The calls in turn; by script, version of PostgreSQL and file, such as `test:core 17 test/a.spec.ts`. */
export type Plan = Readonly<Record<string, readonly Turn[]>>;

/** A copy of .ci/run in a folder of its own, with a stub of npm that follows a plan. */
export class CiCopy {
  static readonly all = new Set<CiCopy>();
  readonly exit: Promise<number | NodeJS.Signals | null>;
  output = '';

  private constructor(
    private readonly folder: string,
    private readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    this.exit = endOf(child);
    CiCopy.all.add(this);
  }

  /**
   * @param limits as CI_LIMITS
   * @param programs as CI_PACKAGES; all of them are there
   */
  static start(plan: Plan, limits = '', programs = ''): CiCopy {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-test-ci-'));
    for (const name of ['bin', 'scripts', '.ci', 'state', 'tmp']) mkdirSync(path.join(folder, name));
    const copy = (name: string): void => cpSync(path.join(ROOT, name), path.join(folder, name));
    for (const name of SCRIPTS) copy(`scripts/${name}.mjs`);
    copy('.ci/run');
    const npm = path.join(folder, 'bin', 'npm');
    writeFileSync(npm, `#!/bin/sh\nexec "${process.execPath}" "${path.join(__dirname, 'stub-npm.mjs')}" "$@"\n`);
    chmodSync(npm, 0o755);
    for (const program of programs.split(' ').filter(Boolean)) writeFileSync(path.join(folder, 'bin', program), '');
    const child = spawn('bash', [path.join(folder, '.ci', 'run')], {
      env: {
        PATH: [path.join(folder, 'bin'), path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
        TMPDIR: path.join(folder, 'tmp'),
        CI_PACKAGES: programs,
        CI_LIMITS: limits,
        STUB_PLAN: JSON.stringify(plan),
        STUB_STATE: path.join(folder, 'state'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new CiCopy(folder, child);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** The calls of npm so far. */
  get calls(): string[] {
    return this.state('calls')?.trim().split('\n') ?? [];
  }

  /** The processes that the stub says it has started, once it has. */
  processes(name: 'hanging' | 'left'): number[] | undefined {
    const text = this.state(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  /** The lines of the output. */
  get lines(): string[] {
    return this.output.trimEnd().split('\n');
  }

  static async endAll(): Promise<void> {
    for (const copy of CiCopy.all) {
      copy.kill('SIGKILL');
      // What hangs may hold its output.
      for (const pid of [...(copy.processes('hanging') ?? []), ...(copy.processes('left') ?? [])]) killQuietly(pid);
      await copy.exit;
      rmSync(copy.folder, { recursive: true, force: true });
    }
    CiCopy.all.clear();
  }

  private state(name: string): string | undefined {
    const file = path.join(this.folder, 'state', name);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }
}
