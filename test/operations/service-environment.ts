import { mediaStoreOf } from '../support/media-directory.js';

/** The environment Parley needs to start as its own process; by default its network is unreachable. */
export const serviceEnvironment = (
  databaseUrl: string,
  env: Readonly<Record<string, string>> = {},
): Record<string, string> => ({
  PORT: '0',
  DATABASE_URL: databaseUrl,
  MEDIA_STORE: mediaStoreOf(databaseUrl),
  NETWORK_BASE_URL: 'http://127.0.0.1:1',
  NETWORK_APP_ID: '1',
  NETWORK_APP_SECRET: 'test-app-secret',
  NETWORK_VERIFY_TOKEN: 'test-verify-token',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  EGRESS_ALLOW: '127.0.0.0/8',
  LOG_LEVEL: 'warn',
  SHUTDOWN_GRACE_MS: '0',
  ...env,
});
