// Runs Node scripts as named steps: one line for each, and the output of those that fail.
import { spawn } from 'node:child_process';

/**
 * Runs a step and prints whether it succeeded.
 *
 * @param args arguments of `node`
 * @returns whether it succeeded
 */
export async function runStep(name, args, cwd) {
  const started = performance.now();
  const { code, output } = await run(args, cwd);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (code !== 0) console.log(output.trim().replace(/^/gm, '       '));
  return code === 0;
}

function run(args, cwd) {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
