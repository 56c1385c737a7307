import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built console lies beside the compiled program; the sources, which tests run, use that of the last build. */
const FOLDERS = ['../../console/', '../../dist/console/'].map((folder) =>
  fileURLToPath(new URL(folder, import.meta.url)),
);

/** The folder of the built console, with a slash at its end; undefined if there is none. */
export const consoleFolder = (): string | undefined => FOLDERS.find((folder) => existsSync(`${folder}index.html`));

/** What the console of this process is known by: the name of its script, which changes with it; null if there is none. */
export function consoleVersion(): string | null {
  const folder = consoleFolder();
  return folder === undefined ? null : (/main-\w+\.js/.exec(readFileSync(`${folder}index.html`, 'utf8'))?.[0] ?? null);
}
