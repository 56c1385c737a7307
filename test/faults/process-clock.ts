import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** The environment of a process whose machine has a wrong clock: `WRONG_CLOCK_MS`, `CLOCK_JUMPS_MS` and others. */
export const wrongClock = (more: Readonly<Record<string, string>>): Record<string, string> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(path.join(__dirname, 'wrong-clock.mjs')).href}`,
  ...more,
});
