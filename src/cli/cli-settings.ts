import path from 'node:path';
import { ConfigError } from '../config/environment.js';
import { type EncryptionKey, parseEncryptionKeys, parseUrl } from '../config/environment-values.js';
import { readPrivateJson } from '../sandbox/private-file.js';
import { type SandboxFile, sandboxFilePath } from '../sandbox/sandbox-file.js';
import type { EnvironmentSource, SandboxSecrets } from '../sandbox/sandbox-settings.js';

/** Where the CLI works: on `DATABASE_URL` (past a pooler, if there is one), or on the sandbox of `DATA_DIR`. */
export interface CliSettings {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  /** The data directory whose sandbox gave the database, or null when `DATABASE_URL` did. */
  readonly sandboxDirectory: string | null;
  /** Read when first needed: most commands store no secrets. */
  encryptionKeys(): EncryptionKey[];
}

/** @throws ConfigError with one line that names the variable */
export function readCliSettings(source: EnvironmentSource): CliSettings {
  const dataDir = path.resolve(source['DATA_DIR']?.trim() || '.parley');
  const direct = source['DATABASE_DIRECT_URL']?.trim();
  const given = direct || source['DATABASE_URL']?.trim();
  const databaseUrl = given || sandboxDatabase(dataDir);
  if (!databaseUrl) throw new ConfigError(`DATABASE_URL is required: no sandbox has been started in ${dataDir}`);
  const read = <T>(name: string, value: string, parse: (value: string) => T): T => {
    try {
      return parse(value);
    } catch (error) {
      throw new ConfigError(`${name} ${(error as Error).message}`);
    }
  };
  const redisUrl = source['REDIS_URL']?.trim();
  return {
    databaseUrl: read(
      direct ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL',
      databaseUrl,
      parseUrl('postgres:', 'postgresql:'),
    ),
    redisUrl: redisUrl ? read('REDIS_URL', redisUrl, parseUrl('redis:', 'rediss:')) : null,
    sandboxDirectory: given ? null : dataDir,
    encryptionKeys: () => {
      // A sandbox's key belongs to the sandbox's database alone: elsewhere nobody could read what it sealed.
      const kept = sandboxDatabase(dataDir) === databaseUrl ? sandboxEncryptionKey(dataDir) : undefined;
      const key = source['ENCRYPTION_KEY']?.trim() || kept;
      if (!key) throw new ConfigError('ENCRYPTION_KEY is required: the token is stored encrypted');
      return read('ENCRYPTION_KEY', key, parseEncryptionKeys);
    },
  };
}

function sandboxDatabase(dataDir: string): string | undefined {
  return readPrivateJson<SandboxFile>(sandboxFilePath(dataDir))?.database_url;
}

function sandboxEncryptionKey(dataDir: string): string | undefined {
  return readPrivateJson<SandboxSecrets>(path.join(dataDir, 'secrets.json'))?.encryption_key;
}
