import { randomBytes, randomInt } from 'node:crypto';
import path from 'node:path';
import { type Environment, loadEnvironment, newEncryptionKey } from '../src/config/environment.js';
import type { Source } from '../src/config/variables.js';
import { MANIFEST } from '../src/rooms.js';
import { readPrivateJson, writePrivateJson } from './private-file.js';

/** The generated secrets of a sandbox. They are kept, so data encrypted by one run can be read by the next. */
export interface SandboxSecrets {
  readonly encryption_key: string;
  readonly app_id: string;
  readonly app_secret: string;
  readonly verify_token: string;
}

/** The settings known only after the parts have started. */
export interface SandboxParts {
  readonly port: number;
  readonly databaseUrl: string;
  readonly networkBaseUrl: string;
  readonly publicUrl: string;
}

/** The secrets of a data directory, generated and saved on its first start. */
export function sandboxSecrets(dataDir: string): SandboxSecrets {
  const file = path.join(dataDir, 'secrets.json');
  const saved = readPrivateJson<SandboxSecrets>(file);
  if (saved) return saved;
  const secrets: SandboxSecrets = {
    encryption_key: newEncryptionKey(),
    app_id: String(randomInt(1e14, 2 ** 48 - 1)),
    app_secret: randomBytes(16).toString('hex'),
    verify_token: randomBytes(16).toString('hex'),
  };
  writePrivateJson(file, secrets);
  return secrets;
}

/**
 * The configuration of the service in a sandbox: the variables in `source`, with defaults for the rest.
 *
 * @param source the variables, with `_FILE` secrets already read
 * @throws ConfigError with a one-line message
 */
export function sandboxEnvironment(
  source: Source,
  dataDir: string,
  secrets: SandboxSecrets,
  parts: Partial<SandboxParts> = {},
): Environment {
  const or = (name: string, fallback: string) => source[name]?.trim() || fallback;
  return loadEnvironment(MANIFEST, {
    ...source,
    PORT: parts.port === undefined ? source['PORT'] : String(parts.port),
    // The placeholders let an invalid value fail before anything is started.
    DATABASE_URL: parts.databaseUrl ?? or('DATABASE_URL', 'postgres://127.0.0.1/placeholder'),
    // Belongs to the DATABASE_URL that was set, so it does not apply to the sandbox's own database.
    DATABASE_DIRECT_URL: parts.databaseUrl === undefined ? source['DATABASE_DIRECT_URL'] : undefined,
    PUBLIC_URL: parts.publicUrl ?? source['PUBLIC_URL'],
    NETWORK_BASE_URL: parts.networkBaseUrl ?? or('NETWORK_BASE_URL', 'http://127.0.0.1'),
    NETWORK_APP_ID: or('NETWORK_APP_ID', secrets.app_id),
    NETWORK_APP_SECRET: or('NETWORK_APP_SECRET', secrets.app_secret),
    NETWORK_VERIFY_TOKEN: or('NETWORK_VERIFY_TOKEN', secrets.verify_token),
    MEDIA_STORE: or('MEDIA_STORE', `directory:${path.resolve(dataDir, 'media')}`),
    ENCRYPTION_KEY: or('ENCRYPTION_KEY', secrets.encryption_key),
    // Allows http webhook and media URLs on this machine. If set to an empty value, they stay blocked.
    EGRESS_ALLOW: source['EGRESS_ALLOW'] ?? '127.0.0.0/8,::1/128',
    // Browsers send a cookie with the prefix only over HTTPS, and all cookies of a host to each of its ports.
    SESSION_COOKIE: or('SESSION_COOKIE', `parley_sandbox_${parts.port ?? 0}`),
    // A sandbox has no load balancer to wait for.
    SHUTDOWN_GRACE_MS: or('SHUTDOWN_GRACE_MS', '0'),
    // A line for every request would bury the next steps in the terminal.
    LOG_LEVEL: or('LOG_LEVEL', 'warn'),
  });
}
