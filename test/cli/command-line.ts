import { runCli } from '../../src/cli/run-cli.js';

/** The exit code and output of one command line. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command line in this process with `env` as its whole environment. */
export function commandLine(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome> {
  return pipedInto('', env, ...args);
}

/** Runs {@link commandLine} with `input` on standard input. */
export async function pipedInto(
  input: string,
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Outcome> {
  let [stdout, stderr] = ['', ''];
  const output = {
    out: (text: string) => {
      stdout += text;
    },
    err: (text: string) => {
      stderr += text;
    },
  };
  const code = await runCli(args, env, output, async () => input);
  return { code, stdout, stderr };
}

/** Runs a command with `--json` and returns its output, which must be one line of JSON. */
export async function answerOf(
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<Record<string, string>> {
  const outcome = await commandLine(env, ...args, '--json');
  expect(outcome).toEqual({ code: 0, stdout: expect.stringMatching(/^\{.*\}\n$/), stderr: '' });
  return JSON.parse(outcome.stdout);
}
