import { CLI, runAs } from '../../src/audit/actor.js';
import { readCliSettings } from '../../src/cli/cli-settings.js';
import { Operator } from '../../src/cli/operator.js';
import { readPrivateJson } from '../private-file.js';
import { type SandboxFile, sandboxFilePath } from '../sandbox-file.js';

/** The usual exit code after Ctrl-C. */
export const INTERRUPTED = 130;

/** What a demo beside a sandbox works with. */
export interface Beside {
  readonly sandbox: SandboxFile;
  readonly operator: Operator;
  /** Aborted by Ctrl-C, and when the terminal is closed. */
  readonly signal: AbortSignal;
}

/**
 * Plays something in a sandbox that runs; returns the exit code.
 *
 * @param dataDir of the sandbox
 */
export async function besideSandbox(dataDir: string, play: (beside: Beside) => Promise<number>): Promise<number> {
  // A closed terminal must not prevent that a demo ends as it should.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const interruption = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => interruption.abort());
  const sandbox = await runningSandbox(dataDir);
  const { ENCRYPTION_KEY, ENCRYPTION_KEY_FILE } = process.env;
  const settings = readCliSettings({ DATA_DIR: dataDir, ENCRYPTION_KEY, ENCRYPTION_KEY_FILE });
  const operator = await Operator.connect(settings);
  try {
    return await runAs(CLI, () => play({ sandbox, operator, signal: interruption.signal }));
  } catch (error) {
    if (await isUp(sandbox)) throw error;
    throw new Error('The sandbox has stopped. A campaign that was being sent goes on when it starts again.');
  } finally {
    await operator.disconnect();
  }
}

const isUp = async ({ base_url }: SandboxFile): Promise<boolean> =>
  (await fetch(`${base_url}/health/ready`).catch(() => null))?.ok ?? false;

/** @throws Error with what to do if there is no sandbox, or one that sends to another network */
async function runningSandbox(dataDir: string): Promise<SandboxFile> {
  const sandbox = readPrivateJson<SandboxFile>(sandboxFilePath(dataDir));
  if (sandbox === undefined || !(await isUp(sandbox))) {
    throw new Error(
      `No sandbox is running in ${dataDir}. Start one with npm start in another terminal, then try again.`,
    );
  }
  if (sandbox.simulator_url === null) {
    throw new Error('This sandbox sends to the network of NETWORK_BASE_URL. The demo sends only to a simulated one.');
  }
  return sandbox;
}
