import path from 'node:path';
import { ConfigError } from '../config/environment.js';
import { type EncryptionKey, parseEncryptionKeys, parseNumber, parseUrl } from '../config/environment-values.js';
import { readPrivateJson } from '../sandbox/private-file.js';
import { type SandboxFile, sandboxFilePath } from '../sandbox/sandbox-file.js';
import type { EnvironmentSource, SandboxSecrets } from '../sandbox/sandbox-settings.js';

/** Where the CLI works: on `DATABASE_URL`, or on the sandbox of `DATA_DIR` (D41). */
export interface CliSettings {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly retentionDays: number;
  /** The data directory whose sandbox gave the database, or null when `DATABASE_URL` did. */
  readonly sandboxDirectory: string | null;
  /** Read when first needed: most commands store no secrets. */
  encryptionKeys(): EncryptionKey[];
}

/** @throws ConfigError with one line that names the variable */
export function readCliSettings(source: EnvironmentSource): CliSettings {
  const dataDir = path.resolve(source['DATA_DIR']?.trim() || '.parley');
  const given = source['DATABASE_URL']?.trim();
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
    databaseUrl: read('DATABASE_URL', databaseUrl, parseUrl('postgres:', 'postgresql:')),
    redisUrl: redisUrl ? read('REDIS_URL', redisUrl, parseUrl('redis:', 'rediss:')) : null,
    retentionDays: read('RETENTION_DAYS', source['RETENTION_DAYS']?.trim() || '30', parseNumber(1, 3650)),
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
