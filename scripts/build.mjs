// Compiles src, simulator, sandbox, migrations, bench, the client and extensions (extensions.mjs) with swc into dist/, and
// bundles libraries (libraries.mjs) and the console (console.mjs).
//
// Each build has its own directory, named after the hash of its inputs (dist-<hash>); `dist` is a symbolic link to the
// current one. Node resolves the link when it loads a module, so a running instance keeps its own build. Concurrent
// builds write separate directories, and each switches the link atomically. If nothing has changed, a build only hashes
// the sources.
import { createHash, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleConsole } from './console.mjs';
import { extensionFiles, extensionList, findExtensions, linkParley } from './extensions.mjs';
import { root } from './install.mjs';
import { LibraryImports } from './libraries.mjs';
import { isAlive, processStart } from './process-identity.mjs';

const COMPILED = ['src', 'simulator', 'sandbox', 'migrations', 'bench', 'clients/typescript/src'];
const CONSOLE = 'console';
// What the compiled sandbox imports from scripts/, under the same relative path.
const COPIED = /^scripts\/(?:pg[^/]*|lock|process-identity)\.mjs$/;
const CONFIGURATION = [
  '.swcrc',
  'package.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/console.mjs',
  'scripts/extensions.mjs',
  'scripts/libraries.mjs',
];
const BUILDS_KEPT = 3;

/**
 * Builds if the sources have changed, and points `dist` to the build.
 * @param use keeps the build from being pruned while this process lives
 * @param out writes a plain directory without bundled libraries and benches instead (for container images)
 * @param core leaves out extensions, and `dist` as it is: what describes Parley in files of the checkout is about Parley alone
 * @param alongside work to run in parallel with a compilation; not called if there is nothing to compile
 * @returns the real directory of the build
 */
export async function build({ out, use = false, core = false, alongside = async () => {} } = {}) {
  const inputs = readInputs(core ? [] : findExtensions());
  if (out) {
    fs.rmSync(out, { recursive: true, force: true });
    await settled([
      compile(
        inputs.filter(({ file }) => !file.startsWith('bench/')),
        path.resolve(out),
      ),
      consoleOf(inputs, path.resolve(out)),
    ]);
    return path.resolve(out);
  }
  const target = path.join(root, `dist-${hashOf(inputs).slice(0, 12)}`);
  if (!fs.existsSync(target)) await Promise.all([makeBuild(inputs, target), alongside()]);
  if (use) markUsed(target);
  if (!core && pointDistTo(target)) prune(target);
  return target;
}

async function makeBuild(inputs, target) {
  const temporary = path.join(root, `dist-tmp-${process.pid}-${randomBytes(3).toString('hex')}`);
  try {
    const libraries = new LibraryImports();
    await settled([compile(inputs, temporary, libraries), consoleOf(inputs, temporary)]);
    await libraries.bundle(temporary, builds());
    fs.renameSync(temporary, target);
  } catch (error) {
    fs.rmSync(temporary, { recursive: true, force: true });
    // Another build of the same sources may have finished first.
    if (!fs.existsSync(target)) throw error;
  }
}

function readInputs(extensions) {
  const scripts = walk('scripts').filter((file) => COPIED.test(file));
  const files = [...[...COMPILED, CONSOLE].flatMap((directory) => walk(directory)), ...scripts];
  const sources = [
    ...files.map((file) => ({ file, source: path.join(root, file) })),
    ...extensions.flatMap(({ name, folder }) =>
      extensionFiles(folder).map((file) => ({ file: `extensions/${name}/${file}`, source: path.join(folder, file) })),
    ),
  ];
  return sources
    .filter(({ file }) => !/\.(?:spec|fixture|d)\.m?ts$/.test(file))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
    .map(({ file, source }) => {
      const isList = file === 'src/extensions.ts' && extensions.length > 0;
      const content = isList ? Buffer.from(extensionList(extensions)) : fs.readFileSync(source);
      return { file, source, content };
    });
}

function walk(directory) {
  let entries;
  try {
    entries = fs.readdirSync(path.join(root, directory), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const name = `${directory}/${entry.name}`;
    return entry.isDirectory() ? walk(name) : entry.isFile() ? [name] : [];
  });
}

function hashOf(inputs) {
  const hash = createHash('sha256');
  for (const file of CONFIGURATION) hash.update(fs.readFileSync(path.join(root, file)));
  for (const { file, content } of inputs) hash.update(`\0${file}\0${content.length}\0`).update(content);
  return hash.digest('hex');
}

const isOfConsole = ({ file }) => file.startsWith(`${CONSOLE}/`);

/** Bundles the console, if there is one. */
async function consoleOf(inputs, directory) {
  if (inputs.some(isOfConsole)) await bundleConsole(directory);
}

/** Compiles all but the console. With `libraries`, redirects imports of large libraries to their bundle. */
async function compile(all, directory, libraries) {
  const inputs = all.filter((input) => !isOfConsole(input));
  const { transform } = await import('@swc/core');
  const swcrc = JSON.parse(fs.readFileSync(path.join(root, '.swcrc'), 'utf8'));
  delete swcrc.$schema;
  for (const folder of new Set(inputs.map(({ file }) => path.dirname(file)))) {
    fs.mkdirSync(path.join(directory, folder), { recursive: true });
  }
  await settled(
    inputs.map(async ({ file, source, content }) => {
      const out = path.join(directory, file);
      if (!file.endsWith('.ts')) return fs.writeFileSync(out, content);
      const compiled = out.replace(/\.ts$/, '.js');
      // Relative to the map, so stack traces find the sources wherever the checkout is.
      const sourceFileName = path.relative(path.dirname(compiled), source);
      const options = { ...swcrc, swcrc: false, configFile: false, filename: source, sourceFileName };
      const { code, map } = await transform(content.toString('utf8'), options);
      const own = file.startsWith('extensions/') ? linkParley(code, file) : code;
      const linked = libraries ? libraries.redirect(own, file) : own;
      fs.writeFileSync(compiled, `${linked}\n//# sourceMappingURL=${path.basename(compiled)}.map\n`);
      if (map) fs.writeFileSync(`${compiled}.map`, map);
    }),
  );
}

/** Lets all settle before failing: nothing may still be writing when the directory is removed. */
async function settled(work) {
  for (const outcome of await Promise.allSettled(work)) if (outcome.status === 'rejected') throw outcome.reason;
}

/** Returns whether the link changed. */
function pointDistTo(target) {
  const dist = path.join(root, 'dist');
  const name = path.basename(target);
  const present = fs.lstatSync(dist, { throwIfNoEntry: false });
  if (present?.isSymbolicLink() && fs.readlinkSync(dist) === name) return false;
  if (present && !present.isSymbolicLink()) {
    // A rename cannot replace a plain directory, which other build tools leave behind.
    const old = path.join(root, `dist-tmp-${process.pid}-old`);
    fs.renameSync(dist, old);
    fs.rmSync(old, { recursive: true, force: true });
  }
  const link = path.join(root, `dist-link-${process.pid}-${randomBytes(3).toString('hex')}`);
  fs.symlinkSync(name, link, 'junction');
  fs.renameSync(link, dist);
  fs.utimesSync(target, new Date(), new Date());
  return true;
}

function markUsed(target) {
  try {
    fs.writeFileSync(path.join(target, `in-use.${process.pid}`), processStart(process.pid) ?? '');
  } catch {
    // A read-only checkout of another user: their next build may prune this one.
  }
}

/** Removes builds that are neither recent nor in use. */
function prune(current) {
  const others = [...builds(), ...builds(/^dist-(?:tmp|link)-/)]
    .filter((directory) => directory !== current)
    .map((directory) => ({ directory, at: mtime(directory) }))
    .sort((a, b) => b.at - a.at);
  others.forEach(({ directory, at }, index) => {
    const abandoned = /dist-(?:tmp|link)-/.test(directory) ? Date.now() - at > 3_600_000 : index >= BUILDS_KEPT;
    if (abandoned && !inUse(directory)) fs.rmSync(directory, { recursive: true, force: true });
  });
}

/** Absolute paths of builds; by default of finished ones. */
function builds(pattern = /^dist-[0-9a-f]{12}$/) {
  const names = fs.readdirSync(root).filter((name) => pattern.test(name));
  return names.map((name) => path.join(root, name));
}

function inUse(directory) {
  if (fs.lstatSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  return fs.readdirSync(directory).some((name) => {
    const pid = /^in-use\.(\d+)$/.exec(name)?.[1];
    if (!pid) return false;
    return isAlive({ pid: Number(pid), start: fs.readFileSync(path.join(directory, name), 'utf8') || undefined });
  });
}

function mtime(file) {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { ensureInstalled } = await import('./install.mjs');
  try {
    await ensureInstalled();
    const out = process.argv.indexOf('--out');
    await build(out > 0 ? { out: process.argv[out + 1] } : {});
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
