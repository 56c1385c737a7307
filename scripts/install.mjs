// Makes node_modules match package-lock.json. Does nothing if it already does, even if npm installed it directly.
//
// Running Parley needs only the production dependencies; a third of the files, and of the time, is for tests and
// checks. The first test or check adds those to the same node_modules without touching what is there, because a sandbox
// may be using it. They are never removed.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitForLock } from './lock.mjs';
import { isAlive, processStart } from './process-identity.mjs';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** npm's own record of what is in node_modules. */
const HIDDEN_LOCKFILE = path.join('node_modules', '.package-lock.json');
const EVERYTHING = 'everything';
/** A connection that is slow, but lives. */
const NPM_TIMEOUT_MS = 1_800_000;
const KILL_TIMEOUT_MS = 10_000;

/** Exits with a clear message if Node is too old for the dependencies. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Parley needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

/**
 * Installs missing dependencies.
 * @param development also installs what tests and checks need
 * @param say called with a line that explains a wait
 */
export async function ensureInstalled({
  development = false,
  say = (line) => console.error(line),
  directory = root,
} = {}) {
  requireNode();
  if (isInstalled(directory, development)) return;
  const lock = await waitForLock(path.join(directory, '.install.lock'), {
    onWait: (pid) => say(`Waiting for another installation of the dependencies (process ${pid}) …`),
  });
  try {
    await killOrphan(directory);
    if (isInstalled(directory, development)) return;
    if (isInstalled(directory, false)) {
      say('Installing what tests and checks need (npm install) …');
      await npm(directory, ['install', '--no-save', '--include=dev']);
      if (isInstalled(directory, true)) return;
    }
    say('Installing the dependencies (npm ci) …');
    const everything = development || hasDevelopment(directory);
    await npm(directory, ['ci', everything ? '--include=dev' : '--omit=dev']);
    writeStamp(directory, everything);
  } finally {
    lock.release();
  }
}

/** Whether the stamp matches or, after `npm ci` or `npm install` by hand, all versions match the lockfile. */
function isInstalled(directory, development) {
  const modules = path.join(directory, 'node_modules');
  const state = fingerprint(directory);
  if (!state) return false;
  const [stamped, kind] = (readText(path.join(modules, '.parley-installed')) ?? '').split(' ');
  const covers = kind === EVERYTHING || !development;
  if (stamped === state && covers && topLevelPresent(directory, development)) return true;
  if (!matchesLockfile(directory, development)) return false;
  writeStamp(directory, development || matchesLockfile(directory, true));
  return true;
}

/** npm rewrites its hidden lockfile on every install, so both files together identify the installed state. */
function fingerprint(directory) {
  const required = readText(path.join(directory, 'package-lock.json'));
  const installed = readText(path.join(directory, HIDDEN_LOCKFILE));
  if (required === undefined) throw new Error(`${directory} has no package-lock.json`);
  if (installed === undefined) return undefined;
  const host = `${process.platform}-${process.arch}`;
  return createHash('sha256').update(required).update('\0').update(installed).update(host).digest('hex');
}

function writeStamp(directory, everything) {
  const state = fingerprint(directory);
  if (!state) return;
  const stamp = path.join(directory, 'node_modules', '.parley-installed');
  try {
    fs.writeFileSync(`${stamp}.${process.pid}`, `${state} ${everything ? EVERYTHING : 'production'}`);
    fs.renameSync(`${stamp}.${process.pid}`, stamp);
  } catch {
    // A read-only node_modules has no stamp and is compared each time, which costs a few milliseconds.
  }
}

/** A cheap check on every start: notices a package folder deleted by hand without walking the tree. */
function topLevelPresent(directory, development) {
  const manifest = JSON.parse(fs.readFileSync(path.join(directory, 'package.json'), 'utf8'));
  const names = Object.keys({ ...manifest.dependencies, ...(development ? manifest.devDependencies : {}) });
  return names.every((name) => fs.existsSync(path.join(directory, 'node_modules', name, 'package.json')));
}

function matchesLockfile(directory, development) {
  const installed = packages(directory, HIDDEN_LOCKFILE);
  return Object.entries(packages(directory, 'package-lock.json')).every(([location, entry]) => {
    if (location === '' || (entry.dev && !development)) return true;
    const present = installed[location];
    if (present) {
      return present.version === entry.version && fs.existsSync(path.join(directory, location, 'package.json'));
    }
    // npm skips optional packages of other platforms and their dependencies.
    const optional = entry.optional || (entry.devOptional && !development);
    return optional === true && !(entry.os && isForThisHost(entry));
  });
}

/** Whether this is a developer's checkout: `npm start` must not remove what its tests need. */
function hasDevelopment(directory) {
  return Object.values(packages(directory, HIDDEN_LOCKFILE)).some((entry) => entry.dev);
}

function packages(directory, lockfile) {
  return JSON.parse(readText(path.join(directory, lockfile)) ?? '{}').packages ?? {};
}

function isForThisHost({ os, cpu, libc }) {
  const allows = (list, value) =>
    !list || (list.some((item) => !item.startsWith('!')) ? list.includes(value) : !list.includes(`!${value}`));
  return allows(os, process.platform) && allows(cpu, process.arch) && (!libc || allows(libc, hostLibc()));
}

function hostLibc() {
  return process.report?.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/**
 * Runs npm, and shows its output only if it fails. Install scripts do not run: the only one we need, for PostgreSQL's
 * links, is replaced by `hydrate` in pg-binaries.mjs.
 */
async function npm(directory, command) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await runNpm(directory, [...command, ...flags, '--prefer-offline']);
  } catch (error) {
    // npm's cached list of versions may be older than our lockfile.
    if (!/\bETARGET\b/.test(error.message)) throw error;
    await runNpm(directory, [...command, ...flags]);
  }
}

function runNpm(directory, args) {
  // Under `npm start` this is the npm that called us; PATH may have another one, or none.
  const cli = process.env.npm_execpath ?? '';
  const [command, list] = /npm-cli\.c?js$/.test(cli) ? [process.execPath, [cli, ...args]] : ['npm', args];
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn(command, list, {
      cwd: directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: NPM_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    const record = orphanRecord(directory);
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    if (child.pid) fs.writeFileSync(record, JSON.stringify({ pid: child.pid, start: processStart(child.pid) }));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', (error) => reject(new Error(`npm could not be started: ${error.message}`)));
    child.once('close', (code, signal) => {
      process.removeListener('exit', kill);
      fs.rmSync(record, { force: true });
      if (code === 0) resolve();
      else reject(new Error(`npm ${args[0]} failed (${signal ?? `exit ${code}`}):\n${output.trim()}`));
    });
  });
}

/** Kills the npm of an interrupted installation, which may still be writing to node_modules. */
async function killOrphan(directory) {
  const record = orphanRecord(directory);
  const text = readText(record);
  if (text === undefined) return;
  const orphan = JSON.parse(text);
  for (const deadline = Date.now() + KILL_TIMEOUT_MS; isAlive(orphan); ) {
    if (Date.now() > deadline)
      throw new Error(`npm of an interrupted installation (process ${orphan.pid}) did not end`);
    process.kill(orphan.pid, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  fs.rmSync(record, { force: true });
}

function orphanRecord(directory) {
  return path.join(directory, '.install.npm.json');
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensureInstalled({ development: process.argv.includes('--development') }).catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
}
