// Makes requests over and over, as fast as they are answered, until it is told to stop: in a process of its own, so that what
// a crowd costs its makers does not show in the times that are taken of others. It gives way to the service, whose machine real
// callers would not share.
import os from 'node:os';

os.setPriority(os.constants.priority.PRIORITY_LOW);

/**
 * @typedef {object} Insistence
 * @property {string} name
 * @property {number} atOnce requests that are kept under way
 * @property {string} url
 * @property {{ method: string, headers: Record<string, string> }} init
 * @property {(string | null)[]} bodies taken in turn
 */

/** After a refusal, milliseconds. */
const BACK_OFF_MS = 500;
const GIVE_UP_MS = 15_000;
const TEXT_CHARACTERS = 200;

/** How often each request was answered how, and an example of each answer. */
const answers = new Map();
let stopped = false;

/** @param {Insistence} insistence */
async function insist({ name, url, init, bodies }) {
  for (let index = Math.floor(Math.random() * bodies.length); !stopped; index += 1) {
    const { status, text } = await ask(url, { ...init, body: bodies[index % bodies.length] });
    const known = answers.get(`${name} ${status}`);
    if (known === undefined) answers.set(`${name} ${status}`, { name, status, text, count: 1 });
    else known.count += 1;
    if (status !== 200) await new Promise((resolve) => setTimeout(resolve, BACK_OFF_MS));
  }
}

async function ask(url, init) {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(GIVE_UP_MS) });
    return { status: response.status, text: (await response.text()).slice(0, TEXT_CHARACTERS) };
  } catch (error) {
    return { status: error.name === 'TimeoutError' ? 'timeout' : (error.cause?.code ?? error.message), text: '' };
  }
}

process.once('message', async (/** @type {Insistence[]} */ insistences) => {
  process.once('message', () => {
    stopped = true;
  });
  await Promise.all(
    insistences.flatMap((insistence) => Array.from({ length: insistence.atOnce }, () => insist(insistence))),
  );
  process.send([...answers.values()], () => process.disconnect());
});
