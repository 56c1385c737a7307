// Finds processes by a folder that they have in their environment.
import fs from 'node:fs';

/** In PostgreSQL's environment (pg.mjs), HOME is what TMPDIR was to who started it. */
const VARIABLES = ['TMPDIR=', 'HOME='];

/**
 * The living processes to which `folder` or something in it is TMPDIR, which their children inherit, whoever their parent
 * is by now. Finds none where there is no /proc.
 *
 * @returns {{ pid: number, command: string }[]}
 */
export function processesIn(folder) {
  return readNames('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isIn(folder, read(`/proc/${pid}/environ`)) && !isDead(pid))
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }));
}

function isIn(folder, environment) {
  if (!environment.includes(folder)) return false;
  const places = VARIABLES.map((name) => name + folder);
  return environment
    .split('\0')
    .some((variable) => places.some((place) => variable === place || variable.startsWith(`${place}/`)));
}

/** A zombie waits for its parent only. */
function isDead(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return stat === '' || /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

function readNames(folder) {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

/** Empty for what is gone, or belongs to somebody else. */
function read(file) {
  try {
    return fs.readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
