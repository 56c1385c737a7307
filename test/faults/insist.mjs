// Repeats requests as fast as they are answered until it is stopped. It runs in a separate process, so that its own
// load does not distort the latencies that a test measures, and with low priority, because real callers would not
// share the service's machine.
import os from 'node:os';

os.setPriority(os.constants.priority.PRIORITY_LOW);

/**
 * @typedef {object} RequestLoop
 * @property {string} name
 * @property {number} concurrency concurrent requests
 * @property {string} url
 * @property {{ method: string, headers: Record<string, string> }} init
 * @property {(string | null)[]} bodies used in turn
 */

/** Pause after a refusal, milliseconds. */
const BACK_OFF_MS = 500;
const GIVE_UP_MS = 100_000;
const TEXT_CHARACTERS = 200;

/** Counts by request and status, with an example of each answer. */
const answers = new Map();
let stopped = false;

/** @param {RequestLoop} loop */
async function runLoop({ name, url, init, bodies }) {
  for (let index = Math.floor(Math.random() * bodies.length); !stopped; index += 1) {
    const { status, text } = await send(url, { ...init, body: bodies[index % bodies.length] });
    const known = answers.get(`${name} ${status}`);
    if (known === undefined) answers.set(`${name} ${status}`, { name, status, text, count: 1 });
    else known.count += 1;
    if (status !== 200) await new Promise((resolve) => setTimeout(resolve, BACK_OFF_MS));
  }
}

async function send(url, init) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(GIVE_UP_MS) });
    return { status: response.status, text: (await response.text()).slice(0, TEXT_CHARACTERS) };
  } catch (error) {
    return { status: error.name === 'TimeoutError' ? 'timeout' : (error.cause?.code ?? error.message), text: '' };
  }
}

// Its test is over, or its process has died.
process.once('disconnect', () => process.exit());

process.once('message', async (/** @type {RequestLoop[]} */ loops) => {
  process.once('message', () => {
    stopped = true;
  });
  await Promise.all(loops.flatMap((loop) => Array.from({ length: loop.concurrency }, () => runLoop(loop))));
  process.send([...answers.values()], () => process.disconnect());
});
