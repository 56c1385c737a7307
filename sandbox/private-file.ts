import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Atomically writes JSON to a file that only this user may read. */
export function writePrivateJson(file: string, value: unknown): void {
  const unfinished = `${file}.${process.pid}.new`;
  try {
    writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Reads what `writePrivateJson` wrote; undefined if the file does not exist. */
export function readPrivateJson<T>(file: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error(`${file} is not valid JSON: repair it, or delete its directory to start over`);
  }
}
