// Finds extensions: the folders in extensions/ of the checkout, and those that EXTENSIONS_DIR names.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './install.mjs';

const NAME = /^[a-z][a-z0-9_]{1,30}$/;

/** Whether an extension may have this name. */
export const isExtensionName = (name) => NAME.test(name);

/**
 * EXTENSIONS_DIR is a list of folders separated by `:`. Each is one extension, which contains `<its name>.module.ts`, or
 * holds several. Relative paths start at the checkout.
 *
 * @returns {{ name: string, folder: string }[]} in the order of their names; folders are absolute, without links
 * @throws Error with one line that names the folder
 */
export function findExtensions(given = process.env.EXTENSIONS_DIR ?? '') {
  const found = new Map();
  const named = given.split(':').filter((folder) => folder.trim() !== '');
  const folders = [...extensionsIn(path.join(root, 'extensions')), ...named.flatMap(extensionsAt)];
  for (const link of folders) {
    const folder = fs.realpathSync(link);
    const name = path.basename(link);
    requireExtension(name, folder);
    const other = found.get(name);
    if (other !== undefined && other !== folder)
      throw new Error(`${folder}: another extension is called ${name}: ${other}`);
    found.set(name, folder);
  }
  return [...found].map(([name, folder]) => ({ name, folder })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What src/extensions.ts contains when there are extensions. */
export function extensionList(extensions) {
  const imports = extensions.map(({ name }) => `import * as ${name} from '../extensions/${name}/${name}.module.js';\n`);
  const entries = extensions.map(({ name }) => `${name}: ${name}.default`);
  return `${imports.join('')}export const EXTENSIONS = { ${entries.join(', ')} };\n`;
}

/** The files of an extension that belong into a build, relative to its folder. Its tests do not. */
export function extensionFiles(folder, below = '') {
  return fs.readdirSync(path.join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(below, entry.name);
    if (entry.name.startsWith('.') || ['node_modules', 'tests'].includes(entry.name)) return [];
    return entry.isDirectory() ? extensionFiles(folder, file) : entry.isFile() ? [file] : [];
  });
}

/** The specifiers that the checkout stands for in its extensions, and their files. */
export const PARLEY = { parley: 'src/extension-api.ts', 'parley/testing': 'test/support/extension-testing.ts' };

/** Lets the code of an extension import `parley` from the build that it is a part of. */
export function linkParley(code, file) {
  const api = path.posix.relative(path.posix.dirname(file), PARLEY.parley).replace(/\.ts$/, '.js');
  return code.replace(
    /^((?:import|export) [^'";]*?from )(['"])parley\2/gm,
    (_, head, quote) => `${head}${quote}${api}${quote}`,
  );
}

function extensionsAt(given) {
  const folder = path.resolve(root, given.trim());
  if (!isFolder(folder)) throw new Error(`EXTENSIONS_DIR: there is no folder ${folder}`);
  if (fs.existsSync(moduleOf(folder))) return [folder];
  const found = extensionsIn(folder);
  if (found.length === 0)
    throw new Error(`EXTENSIONS_DIR: ${folder} is not an extension: it has no ${path.basename(moduleOf(folder))}`);
  return found;
}

function extensionsIn(folder) {
  if (!isFolder(folder)) return [];
  const names = fs.readdirSync(folder).filter((name) => !name.startsWith('.') && name !== 'node_modules');
  return names.map((name) => path.join(folder, name)).filter(isFolder);
}

function requireExtension(name, folder) {
  if (!isExtensionName(name)) {
    throw new Error(
      `${folder}: the name of an extension is 2 to 31 small letters, digits and _, and starts with a letter`,
    );
  }
  const module = path.join(folder, `${name}.module.ts`);
  if (!fs.existsSync(module)) throw new Error(`${folder}: an extension called ${name} needs ${name}.module.ts`);
  const source = fs.readFileSync(module, 'utf8');
  if (!/^@Room\(/m.test(source) || !/^export default /m.test(source)) {
    throw new Error(`${folder}: ${name}.module.ts must export a class with @Room by default`);
  }
}

const moduleOf = (folder) => path.join(folder, `${path.basename(folder)}.module.ts`);
const isFolder = (folder) => fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
