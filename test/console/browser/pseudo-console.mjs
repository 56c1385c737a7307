// Builds the console into the folder of the first argument, with words that are half as long again: those of most other
// languages are longer than English. Whatever does not go through the words of the interface stays as it is.
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';
import { consoleOptions, writeConsole } from '../../../scripts/console.mjs';

const LONGER = `
// A word that is given to a sentence is not made longer again: a name must contain its label.
const made: Set<string> = ((globalThis as { longerWords?: Set<string> }).longerWords ??= new Set());
const longer = (text: string): string =>
  text.replace(/\\p{L}+/gu, (word) => {
    if (made.has(word)) return word;
    const long = word + word.slice(0, Math.ceil(word.length / 2)).toLowerCase();
    made.add(long);
    return long;
  });
const pseudo = (value: unknown): unknown => {
  if (typeof value === 'string') return longer(value);
  if (typeof value === 'function') return (...given: unknown[]) => pseudo(value(...given));
  if (Array.isArray(value)) return value.map(pseudo);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, pseudo(each)]));
};
`;

const [, , directory] = process.argv;
const longerWords = {
  name: 'longer-words',
  setup({ onLoad }) {
    onLoad({ filter: /\/console\/words\/(?:en|inbox-\w+)\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const [, name] = /^export const (\w+[wW]ords|words) =/m.exec(text);
      const given = text.replace(`export const ${name} =`, 'const given =');
      return { contents: `${given}${LONGER}export const ${name} = pseudo(given) as typeof given;`, loader: 'ts' };
    });
  },
};
writeConsole(await build({ ...consoleOptions(directory), plugins: [longerWords] }), directory);
