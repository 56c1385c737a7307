import path from 'node:path';
import type { RoomClass } from '../../src/manifest/room.js';

/** Set by jest.config.js. */
declare const EXTENSIONS: readonly { readonly name: string; readonly folder: string }[];

/** Stands for `src/extensions.ts` in tests when there are extensions. */
const loaded = EXTENSIONS.map(({ name, folder }): [string, RoomClass] => [
  name,
  (require(path.join(folder, `${name}.module.ts`)) as { default: RoomClass }).default,
]);

const found: Readonly<Record<string, RoomClass>> = Object.fromEntries(loaded);

export { found as EXTENSIONS };
