import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isAlive, processStart } from '../scripts/process-identity.mjs';
import { readPrivateJson, writePrivateJson } from './private-file.js';

const PROGRAM = fileURLToPath(new URL('../simulator/main.js', import.meta.url));
const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 10_000;
const MAX_BACKOFF_MS = 5_000;

/** A business phone as the network knows it. */
export interface NetworkPhone {
  readonly phone_number_id: string;
  readonly waba_id: string;
  readonly display_phone_number: string;
}

/** The simulator's configuration, sent to its stdin as one line of JSON. */
export interface SimulatorConfig {
  /** Where it stores accepted messages; the same for each start. */
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
 * Runs the simulated network as a child process, and restarts it on the same port when it dies. The child exits when
 * its stdin closes, so it never outlives us for long.
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
   * @param recordFile stores the process id and port for the next start
   * @param changed called after a restart, which changes the process id
   */
  static async start(config: SimulatorConfig, recordFile: string, changed: () => void): Promise<SimulatorProcess> {
    const former = readPrivateJson<SimulatorRecord>(recordFile);
    if (former) await waitForExit(former);
    const simulator = new SimulatorProcess(config, recordFile, changed);
    try {
      await simulator.launch(former?.port ?? 0);
    } catch (error) {
      if (!former) throw error;
      // Another program may be using the former port.
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

  /** Closes the child's stdin, then waits for it to save its data and exit. */
  async stop(): Promise<void> {
    this.stopping = true;
    const child = this.child;
    if (!child || hasEnded(child)) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.stdin?.end();
    await Promise.race([ended, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    if (!hasEnded(child)) child.kill('SIGKILL');
    await ended;
  }

  /** Kills it without saving; used on the second Ctrl-C. */
  abandon(): void {
    this.stopping = true;
    this.child?.kill('SIGKILL');
  }

  private async launch(port: number): Promise<void> {
    // In its own session, so that Ctrl-C does not reach it: it must keep running until the service has drained.
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
    for (let pause = 100; !this.stopping; pause = Math.min(pause * 2, MAX_BACKOFF_MS)) {
      await sleep(pause);
      if (this.stopping) return;
      try {
        await this.launch(port);
        console.error(`The simulator exited and was restarted (process ${this.pid}).`);
        this.changed();
        return;
      } catch (error) {
        if (!this.stopping)
          console.error(`The simulator exited and could not be restarted: ${(error as Error).message}`);
      }
    }
  }
}

/** Waits for the simulator of a killed sandbox, which exits because its stdin is closed. Kills it after the timeout. */
async function waitForExit(former: SimulatorRecord): Promise<void> {
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (isAlive(former) && Date.now() < deadline) await sleep(20);
  if (!isAlive(former)) return;
  process.kill(former.pid, 'SIGKILL');
  for (const killedAt = Date.now(); isAlive(former); await sleep(20)) {
    if (Date.now() - killedAt > STOP_TIMEOUT_MS) throw new Error(`The simulator (process ${former.pid}) did not end`);
  }
}

/** Reads its first line, `{"url","pid"}`, and discards later output. */
function firstLine(child: ChildProcess): Promise<{ url: string; pid: number }> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => {
      clearTimeout(timer);
      reject(new Error(`The simulator ${what}`));
    };
    const timer = setTimeout(() => fail(`was not ready within ${START_TIMEOUT_MS / 1000} s`), START_TIMEOUT_MS);
    child.once('error', (error) => fail(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => fail(`exited during startup (${signal ?? `exit ${code}`})`));
    if (!child.stdout) return fail('has no output');
    createInterface({ input: child.stdout }).once('line', (line) => {
      clearTimeout(timer);
      child.stdout?.resume();
      try {
        const { url, pid } = JSON.parse(line) as { url: string; pid: number };
        resolve({ url, pid });
      } catch {
        fail(`must print its url and pid as JSON, not ${line}`);
      }
    });
  });
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
