import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../sandbox/program.js';

/** The sources of the console. */
export const SOURCES = path.join(ROOT, 'console');
/** The console as the last build has made it; `npm test` builds first. */
export const BUILT = path.join(ROOT, 'dist/console');

/** The text of a built file. */
export const builtText = (file: string): string => readFileSync(path.join(BUILT, file), 'utf8');

/** The names of the built scripts, styles, fonts and pictures. */
export const assets = (): string[] => readdirSync(path.join(BUILT, 'assets')).filter((name) => !name.endsWith('.gz'));

/** Bytes of a file as browsers load it: compressed, if there is such a copy. */
export function loadedBytes(file: string): number {
  const plain = path.join(BUILT, file);
  return readFileSync(existsSync(`${plain}.gz`) ? `${plain}.gz` : plain).length;
}

/** Every file of the sources with one of these endings, by its path in console/. */
export const sourcesOf = (...endings: string[]): string[] =>
  (readdirSync(SOURCES, { recursive: true }) as string[]).filter((file) =>
    endings.some((ending) => file.endsWith(ending)),
  );

export const sourceText = (file: string): string => readFileSync(path.join(SOURCES, file), 'utf8');
