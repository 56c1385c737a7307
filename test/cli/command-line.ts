import { runCli } from '../../src/cli/run-cli.js';

/** What one command line did. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process, on exactly these variables. */
export async function commandLine(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome> {
  let [stdout, stderr] = ['', ''];
  const code = await runCli(args, env, {
    out: (text) => {
      stdout += text;
    },
    err: (text) => {
      stderr += text;
    },
  });
  return { code, stdout, stderr };
}

/** Runs a command with `--json` and answers what it printed, which must be one JSON line. */
export async function answerOf(
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Record<string, string>> {
  const outcome = await commandLine(env, ...args, '--json');
  expect(outcome).toEqual({ code: 0, stdout: expect.stringMatching(/^\{.*\}\n$/), stderr: '' });
  return JSON.parse(outcome.stdout);
}
