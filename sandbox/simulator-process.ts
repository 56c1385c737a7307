import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isAlive, processStart } from '../scripts/process-identity.mjs';
import { readPrivateJson, writePrivateJson } from './private-file.js';

const PROGRAM = fileURLToPath(new URL('../simulator/main.js', import.meta.url));
const READY_WITHIN_MS = 15_000;
const STOP_WITHIN_MS = 10_000;
const MAX_PAUSE_MS = 5_000;

/** A business phone as the network knows it. */
export interface NetworkPhone {
  readonly phone_number_id: string;
  readonly waba_id: string;
  readonly display_phone_number: string;
}

/** The simulator's side of the protocol: one line of JSON on its stdin. */
export interface SimulatorConfig {
  /** Where it keeps what it accepted; the same at each start. */
  readonly dataDir: string;
  readonly callbackUrl: string;
  readonly appId: string;
  readonly appSecret: string;
  readonly verifyToken: string;
  readonly phones: readonly NetworkPhone[];
}

interface SimulatorRecord {
  readonly pid: number;
  readonly start: string | undefined;
  readonly port: number;
}

/**
 * Owns the network's double: a process of its own that ends when the pipe to it closes, so it never outlives us for
 * long, and that is started again, on the same port, when it dies.
 */
export class SimulatorProcess {
  private child: ChildProcess | undefined;
  private stopping = false;
  private address = { url: '', pid: 0 };

  private constructor(
    private readonly config: SimulatorConfig,
    private readonly recordFile: string,
    private readonly changed: () => void,
  ) {}

  /**
   * @param recordFile remembers process and port for the next start
   * @param changed called when it was started again under another process id
   */
  static async start(config: SimulatorConfig, recordFile: string, changed: () => void): Promise<SimulatorProcess> {
    const former = readPrivateJson<SimulatorRecord>(recordFile);
    if (former) await outlive(former);
    const simulator = new SimulatorProcess(config, recordFile, changed);
    try {
      await simulator.launch(former?.port ?? 0);
    } catch (error) {
      if (!former) throw error;
      // The former port may have gone to somebody else.
      await simulator.launch(0);
    }
    return simulator;
  }

  get url(): string {
    return this.address.url;
  }

  get pid(): number {
    return this.address.pid;
  }

  /** Closes the pipe and waits for it to save and leave. */
  async stop(): Promise<void> {
    this.stopping = true;
    const child = this.child;
    if (!child || hasEnded(child)) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    await Promise.race([ended, sleep(STOP_WITHIN_MS, undefined, { ref: false })]);
    if (!hasEnded(child)) child.kill('SIGKILL');
    await ended;
  }

  /** Ends it at once, saving nothing more: the second Ctrl-C. */
  abandon(): void {
    this.stopping = true;
    this.child?.kill('SIGKILL');
  }

  private async launch(port: number): Promise<void> {
    // A session of its own: a Ctrl-C in the terminal is for us, and it may go only after the service has drained.
    const child = spawn(process.execPath, ['--enable-source-maps', PROGRAM], {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
    });
    this.child = child;
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${JSON.stringify({ port, ...this.config })}\n`);
    try {
      this.address = await firstLine(child);
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
    const record: SimulatorRecord = {
      pid: this.pid,
      start: processStart(this.pid),
      port: Number(new URL(this.url).port),
    };
    writePrivateJson(this.recordFile, record);
    const died = () => void this.revive(record.port);
    if (hasEnded(child)) died();
    else child.once('exit', died);
  }

  private async revive(port: number): Promise<void> {
    for (let pause = 100; !this.stopping; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
      await sleep(pause);
      if (this.stopping) return;
      try {
        await this.launch(port);
        console.error(`The simulator had ended and was started again (process ${this.pid}).`);
        this.changed();
        return;
      } catch (error) {
        if (!this.stopping) console.error(`Starting the simulator again failed: ${(error as Error).message}`);
      }
    }
  }
}

/** Waits for the one that a killed sandbox left: its pipe is closed, so it is on its way out. */
async function outlive(former: SimulatorRecord): Promise<void> {
  const deadline = Date.now() + STOP_WITHIN_MS;
  while (isAlive(former) && Date.now() < deadline) await sleep(20);
  if (!isAlive(former)) return;
  process.kill(former.pid, 'SIGKILL');
  while (isAlive(former)) await sleep(20);
}

/** Its `{"url","pid"}` line. Later output, if any, is discarded. */
function firstLine(child: ChildProcess): Promise<{ url: string; pid: number }> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => {
      clearTimeout(timer);
      reject(new Error(`the simulator ${what}`));
    };
    const timer = setTimeout(() => fail(`was not ready within ${READY_WITHIN_MS / 1000} s`), READY_WITHIN_MS);
    child.once('error', (error) => fail(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => fail(`ended at once (${signal ?? `exit ${code}`})`));
    if (!child.stdout) return fail('has no output');
    createInterface({ input: child.stdout }).once('line', (line) => {
      clearTimeout(timer);
      child.stdout?.resume();
      try {
        const { url, pid } = JSON.parse(line) as { url: string; pid: number };
        resolve({ url, pid });
      } catch {
        fail(`said ${line} instead of where it is`);
      }
    });
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
