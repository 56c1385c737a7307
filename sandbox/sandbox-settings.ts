import { randomBytes, randomInt } from 'node:crypto';
import path from 'node:path';
import { type Environment, loadEnvironment, newEncryptionKey } from '../src/config/environment.js';
import type { Source } from '../src/config/variables.js';
import { readPrivateJson, writePrivateJson } from './private-file.js';

/** What a sandbox makes up for itself once, and keeps: data encrypted today must be readable tomorrow. */
export interface SandboxSecrets {
  readonly encryption_key: string;
  readonly app_id: string;
  readonly app_secret: string;
  readonly verify_token: string;
}

/** What is known only once the parts run. */
export interface SandboxParts {
  readonly port: number;
  readonly databaseUrl: string;
  readonly networkBaseUrl: string;
}

/** The secrets of a data directory, made and saved at its first start. */
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
 * The configuration of the service in a sandbox: variables that are set count, and the sandbox fills in the rest.
 *
 * @param source without files of secrets
 * @throws ConfigError with one line
 */
export function sandboxEnvironment(
  source: Source,
  secrets: SandboxSecrets,
  parts: Partial<SandboxParts> = {},
): Environment {
  const or = (name: string, fallback: string) => source[name]?.trim() || fallback;
  return loadEnvironment({
    ...source,
    PORT: parts.port === undefined ? source['PORT'] : String(parts.port),
    // The stand-ins let a bad value fail before anything is started.
    DATABASE_URL: parts.databaseUrl ?? or('DATABASE_URL', 'postgres://127.0.0.1/stand-in'),
    // Leads to the same database, so it means nothing beside the sandbox's own.
    DATABASE_DIRECT_URL: parts.databaseUrl === undefined ? source['DATABASE_DIRECT_URL'] : undefined,
    NETWORK_BASE_URL: parts.networkBaseUrl ?? or('NETWORK_BASE_URL', 'http://127.0.0.1'),
    NETWORK_APP_ID: or('NETWORK_APP_ID', secrets.app_id),
    NETWORK_APP_SECRET: or('NETWORK_APP_SECRET', secrets.app_secret),
    NETWORK_VERIFY_TOKEN: or('NETWORK_VERIFY_TOKEN', secrets.verify_token),
    ENCRYPTION_KEY: or('ENCRYPTION_KEY', secrets.encryption_key),
    // So that http webhook and media URLs on this machine work; set but empty, it stays closed.
    EGRESS_ALLOW: source['EGRESS_ALLOW'] ?? '127.0.0.0/8,::1/128',
    // Nobody balances the load of a sandbox.
    SHUTDOWN_GRACE_MS: or('SHUTDOWN_GRACE_MS', '0'),
    // The terminal belongs to what to do next; a line for every request would bury it.
    LOG_LEVEL: or('LOG_LEVEL', 'warn'),
  });
}
