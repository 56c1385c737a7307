import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * The `MEDIA_STORE` of all processes with this database. It outlives them as their rows do, and goes when the run ends.
 */
export const mediaStoreOf = (databaseUrl: string): string =>
  `directory:${path.join(process.env['TEST_RUN'] ?? tmpdir(), 'media', new URL(databaseUrl).pathname.slice(1))}`;
