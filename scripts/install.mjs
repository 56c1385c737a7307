// Makes node_modules match package-lock.json, and does nothing when it already does, whoever installed it.
//
// Running Parley takes the production dependencies: a third of the files, and of the time, is for tests and checks alone.
// Those come when somebody first tests, into the same node_modules and without touching what is there (a sandbox may be
// running on it); once there they are never taken away.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitForLock } from './lock.mjs';
import { isAlive, processStart } from './process-identity.mjs';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** What npm itself says is in node_modules. */
const HIDDEN_LOCKFILE = path.join('node_modules', '.package-lock.json');
const EVERYTHING = 'everything';

/** Ends the process with one clear line on a Node that is too old for the dependencies. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Parley needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}

/**
 * Installs what is missing; `development` asks for what tests and checks need, too. `say` gets the one line that explains
 * a wait.
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
    await endOrphan(directory);
    if (isInstalled(directory, development)) return;
    if (isInstalled(directory, false)) {
      say('Installing what tests and checks need (npm install) …');
      await npm(directory, ['install', '--no-save', '--include=dev']);
      if (isInstalled(directory, true)) return;
    }
    say('Installing the dependencies (npm ci) …');
    const everything = development || holdsDevelopment(directory);
    await npm(directory, ['ci', everything ? '--include=dev' : '--omit=dev']);
    writeStamp(directory, everything);
  } finally {
    lock.release();
  }
}

/** Stamped, or (installed by hand with `npm ci` or `npm install`) found to hold every version of the lockfile. */
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

/** npm rewrites its hidden lockfile at every install, so both files together name the state that was checked. */
function fingerprint(directory) {
  const wanted = readText(path.join(directory, 'package-lock.json'));
  const installed = readText(path.join(directory, HIDDEN_LOCKFILE));
  if (wanted === undefined) throw new Error(`${directory} has no package-lock.json`);
  if (installed === undefined) return undefined;
  const host = `${process.platform}-${process.arch}`;
  return createHash('sha256').update(wanted).update('\0').update(installed).update(host).digest('hex');
}

function writeStamp(directory, everything) {
  const state = fingerprint(directory);
  if (!state) return;
  const stamp = path.join(directory, 'node_modules', '.parley-installed');
  try {
    fs.writeFileSync(`${stamp}.${process.pid}`, `${state} ${everything ? EVERYTHING : 'production'}`);
    fs.renameSync(`${stamp}.${process.pid}`, stamp);
  } catch {
    // A read-only node_modules is compared anew each time: slower by some milliseconds, no more.
  }
}

/** A cheap look at every start: a folder that was deleted by hand is noticed without walking the tree. */
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
    // npm leaves out optional packages of other platforms, and what only those need.
    const optional = entry.optional || (entry.devOptional && !development);
    return optional === true && !(entry.os && isForThisHost(entry));
  });
}

/** A developer's checkout: `npm start` must not take away what its tests need. */
function holdsDevelopment(directory) {
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
 * Its output is shown only when it fails. No package's install script runs: the one that matters, PostgreSQL's links, is
 * made up for at its first start (pg-binaries.mjs).
 */
async function npm(directory, command) {
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await runNpm(directory, [...command, ...flags, '--prefer-offline']);
  } catch (error) {
    // Its cache may hold a list of versions that is older than our lockfile.
    if (!/\bETARGET\b/.test(error.message)) throw error;
    await runNpm(directory, [...command, ...flags]);
  }
}

function runNpm(directory, args) {
  // Under `npm start` this is the very npm that called us; PATH may hold another one, or none.
  const cli = process.env.npm_execpath ?? '';
  const [command, list] = /npm-cli\.c?js$/.test(cli) ? [process.execPath, [cli, ...args]] : ['npm', args];
  return new Promise((resolve, reject) => {
    let output = '';
    const child = spawn(command, list, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] });
    const record = orphanRecord(directory);
    const end = () => child.kill('SIGKILL');
    process.once('exit', end);
    if (child.pid) fs.writeFileSync(record, JSON.stringify({ pid: child.pid, start: processStart(child.pid) }));
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    child.once('error', (error) => reject(new Error(`npm could not be started: ${error.message}`)));
    child.once('close', (code, signal) => {
      process.removeListener('exit', end);
      fs.rmSync(record, { force: true });
      if (code === 0) resolve();
      else reject(new Error(`npm ${args[0]} failed (${signal ?? `exit ${code}`}):\n${output.trim()}`));
    });
  });
}

/** The npm of an installation that was killed may still be writing to node_modules. */
async function endOrphan(directory) {
  const record = orphanRecord(directory);
  const text = readText(record);
  if (text === undefined) return;
  const orphan = JSON.parse(text);
  while (isAlive(orphan)) {
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
