// Runs one step of .ci/run within its limits, with all the processes that it starts.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { readEvents } from './ci-events.mjs';
import { ProcessFamily } from './process-family.mjs';

/** How long processes may take to end before they are killed. */
const GRACE_MS = 5000;
/** How long the rest of the output may take once all processes have ended. */
const OUTPUT_MS = 2000;

/**
 * Runs a command until it ends, reaches a limit, or `signal` aborts with the name of a signal. Nothing that it has
 * started outlives it.
 *
 * @param seconds the limit of the step
 * @param secondsLeft the limit of the whole run
 * @param events the file that scripts/ci-reporter.mjs writes
 * @param log the file that keeps the output
 * @param quiet the output goes nowhere else
 * @returns `end` (`passed`, `failed`, `limit` or `cut`), `why` if it is one of the last two, the exit code, `seconds`,
 * the lines of the output, and what `readEvents` returns
 */
export async function runStep({ command, env, events, log, seconds, secondsLeft, signal, quiet = false }) {
  const began = performance.now();
  fs.writeFileSync(log, '');
  const ended = (end, rest) => ({
    end,
    ...rest,
    seconds: Math.round((performance.now() - began) / 1000),
    output: fs.readFileSync(log, 'utf8').split('\n').filter(Boolean),
    ...readEvents(events),
  });
  if (signal.aborted) return ended('cut', { why: `not begun: ${signal.reason}` });
  if (secondsLeft <= 0) return ended('limit', { why: 'not begun: the whole run has reached its limit' });

  const [program, ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exit = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: error.message }));
    child.once('exit', (code, killedBy) => resolve({ code: code ?? killedBy }));
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const streams = [child.stdout, child.stderr];
  for (const stream of streams) {
    stream.on('error', () => {});
    stream.on('data', (chunk) => {
      fs.appendFileSync(log, chunk);
      if (!quiet) process.stdout.write(chunk);
    });
  }
  const family = child.pid === undefined ? undefined : new ProcessFamily(child.pid);

  const over = new AbortController();
  const isOwn = seconds <= secondsLeft;
  const limit = after(isOwn ? seconds : secondsLeft, over.signal);
  const cut = new Promise((resolve) => signal.addEventListener('abort', resolve, { signal: over.signal }));
  const { code, end, why } = await Promise.race([
    exit,
    limit.then(() => ({ end: 'limit', why: isOwn ? `after ${seconds} s` : 'the whole run has reached its limit' })),
    cut.then(() => ({ end: 'cut', why: signal.reason })),
  ]);
  over.abort();
  await family?.end(GRACE_MS);
  await Promise.race([closed, after(OUTPUT_MS / 1000)]);
  for (const stream of streams) stream.destroy();
  return end === undefined ? ended(code === 0 ? 'passed' : 'failed', { code }) : ended(end, { why });
}

function after(seconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => clearTimeout(timer));
  });
}
