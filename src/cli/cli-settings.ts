import path from 'node:path';
import { readPrivateJson } from '../../sandbox/private-file.js';
import { type SandboxFile, sandboxFilePath } from '../../sandbox/sandbox-file.js';
import type { SandboxSecrets } from '../../sandbox/sandbox-settings.js';
import { type Environment, type Retention, readNetwork, readPublicUrl, readRetention } from '../config/environment.js';
import { type EncryptionKey, parseEncryptionKeys, parseUrl } from '../config/environment-values.js';
import { ConfigError, readVariable, type Source, withFileSecrets } from '../config/variables.js';

/** The CLI's settings: it works on `DATABASE_URL` (bypassing a pooler) or on the sandbox of `DATA_DIR`. */
export interface CliSettings {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  /** The data directory of the sandbox in use, or null when `DATABASE_URL` is set. */
  readonly sandboxDirectory: string | null;
  /** Read only when needed: most commands store no secrets. */
  encryptionKeys(): EncryptionKey[];
  /** Read only when needed. */
  retention(): Retention;
  /** The network, its first app and our address. Read only when needed. */
  network(): Pick<Environment, 'network' | 'publicUrl'>;
  /** Our address as browsers see it; null when it is not known. */
  publicUrl(): string | null;
}

/** @throws ConfigError with one line that names the variable */
export function readCliSettings(source: Source): CliSettings {
  const dataDir = path.resolve(readVariable(source, 'DATA_DIR') ?? '.parley');
  const direct = readVariable(source, 'DATABASE_DIRECT_URL');
  const given = direct ?? readVariable(source, 'DATABASE_URL');
  const databaseUrl = given ?? sandboxDatabase(dataDir);
  if (!databaseUrl) throw new ConfigError(`DATABASE_URL is required: no sandbox has been started in ${dataDir}`);
  const read = <T>(name: string, value: string, parse: (value: string) => T): T => {
    try {
      return parse(value);
    } catch (error) {
      throw new ConfigError(`${name} ${(error as Error).message}`);
    }
  };
  const redisUrl = readVariable(source, 'REDIS_URL');
  const ofNetwork = (): Source => {
    const own = sandboxDatabase(dataDir) === databaseUrl ? sandboxNetwork(dataDir) : {};
    const set = Object.entries(withFileSecrets(source)).filter(([, value]) => value?.trim());
    return { ...own, ...Object.fromEntries(set) };
  };
  return {
    databaseUrl: read(
      direct ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL',
      databaseUrl,
      parseUrl('postgres:', 'postgresql:'),
    ),
    redisUrl: redisUrl === null ? null : read('REDIS_URL', redisUrl, parseUrl('redis:', 'rediss:')),
    sandboxDirectory: given === null ? dataDir : null,
    encryptionKeys: () => {
      // The sandbox's key is only for the sandbox's database: no other service could decrypt what it encrypts.
      const kept = sandboxDatabase(dataDir) === databaseUrl ? sandboxEncryptionKey(dataDir) : undefined;
      const key = readVariable(source, 'ENCRYPTION_KEY') ?? kept;
      if (!key) throw new ConfigError('ENCRYPTION_KEY is required: secrets are stored encrypted');
      return read('ENCRYPTION_KEY', key, parseEncryptionKeys);
    },
    retention: () => readRetention(source),
    network: () => ({ network: readNetwork(ofNetwork()), publicUrl: readPublicUrl(ofNetwork()) }),
    publicUrl: () => readPublicUrl(ofNetwork()),
  };
}

function sandboxDatabase(dataDir: string): string | undefined {
  return readPrivateJson<SandboxFile>(sandboxFilePath(dataDir))?.database_url;
}

/** The variables of the network in the sandbox. */
function sandboxNetwork(dataDir: string): Source {
  const sandbox = readPrivateJson<SandboxFile>(sandboxFilePath(dataDir));
  const secrets = readPrivateJson<SandboxSecrets>(path.join(dataDir, 'secrets.json'));
  if (!sandbox || !secrets) return {};
  return {
    ...(sandbox.simulator_url === null ? {} : { NETWORK_BASE_URL: sandbox.simulator_url }),
    NETWORK_APP_ID: secrets.app_id,
    NETWORK_APP_SECRET: sandbox.network_app_secret,
    NETWORK_VERIFY_TOKEN: sandbox.network_verify_token,
    PUBLIC_URL: sandbox.base_url,
  };
}

function sandboxEncryptionKey(dataDir: string): string | undefined {
  return readPrivateJson<SandboxSecrets>(path.join(dataDir, 'secrets.json'))?.encryption_key;
}
