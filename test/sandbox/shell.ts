import { type ChildProcess, spawn } from 'node:child_process';
import { ROOT } from './program.js';

/** A shell that has been given commands, in the checkout and in a process group of its own. */
export class Shell {
  output = '';
  readonly exit: Promise<number | null>;
  private readonly child: ChildProcess;

  constructor(commands: string, env: Record<string, string>) {
    const { PATH = '', HOME = '' } = process.env;
    this.child = spawn('bash', ['-c', commands], {
      cwd: ROOT,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    this.exit = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** Ends whatever the shell has started and left running. */
  end(): void {
    try {
      if (this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGKILL');
    } catch {
      // All of it has ended already.
    }
  }
}
