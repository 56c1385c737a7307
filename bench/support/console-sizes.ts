import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { consoleFolder } from '../../src/runtime/console-files.js';

/** Compressed bytes by name. */
type Sizes = readonly (readonly [name: string, bytes: number])[];

const LINKED = /(?:href|src)="\/console\/([^"]+)"/g;
const IMPORTED = /(?:from|import)"\.\/([\w-]+\.js)"/g;
/** The name without the hash of the content. */
const NAMED = /^assets\/(.+)-[A-Z0-9]{8}\.js$/;

/**
 * Compressed bytes of the built console: the first load by kinds of files, and what each screen adds with everything that
 * it imports.
 *
 * @throws Error when it is not built
 */
export function consoleSizes(): { readonly first: Sizes; readonly screens: Sizes } {
  const folder = consoleFolder();
  if (folder === undefined) throw new Error('The console is not built.');
  const bytesOf = (file: string): number =>
    readFileSync(existsSync(`${folder}${file}.gz`) ? `${folder}${file}.gz` : folder + file).length;
  const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name = '']) => name);
  const initial = ['index.html', ...new Set(matches(readFileSync(`${folder}index.html`, 'utf8'), LINKED))];

  const first = new Map<string, number>();
  for (const file of initial) {
    const kind = extname(file).slice(1);
    first.set(kind, (first.get(kind) ?? 0) + bytesOf(file));
  }
  /** A script and those that it imports, without what is there already. */
  const withImports = (file: string, found = new Set<string>()): Set<string> => {
    if (found.has(file) || initial.includes(file)) return found;
    found.add(file);
    const imported = matches(readFileSync(folder + file, 'utf8'), IMPORTED);
    for (const name of imported) withImports(`assets/${name}`, found);
    return found;
  };
  const screens = readdirSync(`${folder}assets`).flatMap((name) => {
    const file = `assets/${name}`;
    const screen = NAMED.exec(file)?.[1];
    if (screen === undefined || screen === 'chunk' || initial.includes(file)) return [];
    return [[screen, [...withImports(file)].reduce((sum, each) => sum + bytesOf(each), 0)] as const];
  });
  return { first: [...first], screens };
}
