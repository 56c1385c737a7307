// `npm run new:extension NAME [FOLDER]`: makes an extension with one of each kind, in extensions/NAME or FOLDER/NAME. It is
// a copy of the example, examples/extension-surveys, under the new name, with which all tests pass; change it from there.
import fs from 'node:fs';
import path from 'node:path';
import { isExtensionName } from './extensions.mjs';
import { root } from './install.mjs';

const EXAMPLE = path.join(root, 'examples/extension-surveys/surveys');

const [name, parent = 'extensions', ...more] = process.argv.slice(2);
try {
  if (name === undefined || more.length > 0) throw new Error('usage: npm run new:extension NAME [FOLDER]');
  const folder = makeExtension(name, path.resolve(root, parent));
  const given = parent === 'extensions' ? '' : `EXTENSIONS_DIR=${parent} `;
  console.log(`${path.relative(root, folder)} is a copy of the example. Try it with
  ${given}npm test -- ${name}
  ${given}npm start`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** @returns the new folder */
function makeExtension(plural, parent) {
  if (!isExtensionName(plural)) {
    throw new Error(`NAME is 2 to 31 small letters, digits and _, and starts with a letter (got ${plural})`);
  }
  const folder = path.join(parent, plural);
  if (fs.existsSync(folder)) throw new Error(`${folder} exists already`);
  const renamed = rename(plural);
  for (const file of fs.readdirSync(EXAMPLE, { recursive: true })) {
    const source = path.join(EXAMPLE, file);
    if (!fs.statSync(source).isFile()) continue;
    const target = path.join(folder, renamed(file));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, renamed(fs.readFileSync(source, 'utf8')));
  }
  return folder;
}

/** Replaces the words of the example: `surveys` by the name, `survey` by one of them, in each way of writing them. */
function rename(plural) {
  const singular = plural.replace(/ies$/, 'y').replace(/(?<=[^s])s$/, '');
  // Where the name has no plural, "one of them" needs a name of its own.
  const one = singular === plural ? `${plural}_item` : singular;
  const words = new Map();
  for (const [old, fresh] of [
    ['surveys', plural],
    ['survey', one],
  ]) {
    words.set(old, fresh);
    words.set(old.toUpperCase(), fresh.toUpperCase());
    words.set(`${old[0].toUpperCase()}${old.slice(1)}`, pascal(fresh));
  }
  const pattern = /surveys|survey|Surveys|Survey|SURVEYS|SURVEY/g;
  return (text) =>
    // Inside a name in camel case, such as surveyNotFound, underscores would not do.
    text
      .replace(/\b(surveys?)(?=[A-Z])/g, (word) => camel(words.get(word)))
      .replace(pattern, (word) => words.get(word));
}

function pascal(name) {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}

function camel(name) {
  return name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
}
