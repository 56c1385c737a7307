// Finds processes by a folder that they have in their environment.
import fs from 'node:fs';

/**
 * The living processes that have `folder` or something in it as a variable of their environment, as those do that inherit
 * TMPDIR, whoever their parent is by now. Finds none where there is no /proc.
 *
 * @returns {{ pid: number, command: string }[]}
 */
export function processesIn(folder) {
  return readNames('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => hasVariable(read(`/proc/${pid}/environ`), folder) && !isDead(pid))
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }));
}

function hasVariable(environment, folder) {
  for (let at = environment.indexOf(`=${folder}`); at >= 0; at = environment.indexOf(`=${folder}`, at + 1)) {
    const next = environment[at + 1 + folder.length];
    if (next === undefined || next === '\0' || next === '/') return true;
  }
  return false;
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
