import { type ChildProcess, spawn } from 'node:child_process';
import { inherited } from '../support/inherited.js';
import { endOf, ROOT } from './program.js';

/** A shell that runs commands in the checkout, in its own process group. */
export class Shell {
  output = '';
  readonly exit: Promise<number | NodeJS.Signals | null>;
  private readonly child: ChildProcess;

  constructor(commands: string, env: Record<string, string>) {
    this.child = spawn('bash', ['-c', commands], {
      cwd: ROOT,
      env: { ...inherited(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    this.exit = endOf(this.child);
  }

  /** Ends everything the shell has left running. */
  end(): void {
    try {
      if (this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // All of it has ended already.
    }
  }
}
