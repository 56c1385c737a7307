import { randomBytes } from 'node:crypto';
import {
  type EncryptionKey,
  parseBoolean,
  parseCidrs,
  parseEncryptionKeys,
  parseNumber,
  parseOneOf,
  parsePrices,
  parseRoles,
  parseUrl,
  type Role,
} from './environment-values.js';

/** A bad environment value; `message` is the one line that is printed before exit 1 (D44). */
export class ConfigError extends Error {}

/** The configuration of one process, read once at start. */
export interface Environment {
  readonly port: number;
  readonly host: string;
  /** What this process does: serve HTTP, work queues, or both. */
  readonly roles: ReadonlySet<Role>;
  readonly databaseUrl: string;
  /** Connections of the application's pool. */
  readonly databasePool: number;
  /** Queues and rate limits use Redis when set, PostgreSQL otherwise. */
  readonly redisUrl: string | null;
  readonly network: {
    readonly baseUrl: string;
    readonly apiVersion: string;
    readonly appId: string;
    readonly appSecret: string;
    readonly verifyToken: string;
    /** Milliseconds to wait for an answer before the outcome counts as unknown (D14). */
    readonly timeoutMs: number;
  };
  /** The first key encrypts, all decrypt (D39). */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** CIDRs that customer-supplied URLs may reach although they are not public (D18). */
  readonly egressAllow: readonly string[];
  /** Milliseconds until a message of unknown outcome counts as failed (D14). */
  readonly unknownOutcomeHorizonMs: number;
  /** Milliseconds a worker may hold claimed recipients without a sign of life. */
  readonly leaseMs: number;
  /** Credits per recipient and template category (D30). */
  readonly messagePrices: Readonly<Record<string, number>>;
  /** Days that events and webhook attempts are kept. */
  readonly retentionDays: number;
  /** Whether `X-Forwarded-For` of the proxy in front is believed. */
  readonly trustProxy: boolean;
  readonly adminToken: string | null;
  readonly logLevel: string;
}

type Source = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the environment (D44).
 *
 * @throws ConfigError with one line that names the variable, what is expected and what was found
 */
export function loadEnvironment(source: Source = process.env): Environment {
  const read = <T>(name: string, fallback: string | null, parse: (value: string) => T): T => {
    const value = source[name]?.trim() || fallback;
    if (value === null) throw new ConfigError(`${name} is required`);
    try {
      return parse(value);
    } catch (error) {
      throw new ConfigError(`${name} ${(error as Error).message}`);
    }
  };
  const text = (value: string) => value;
  const optional = (name: string) => source[name]?.trim() || null;

  return {
    port: read('PORT', '3000', parseNumber(0, 65535)),
    host: read('HOST', '127.0.0.1', text),
    roles: read('PARLEY_ROLES', 'api,worker', parseRoles),
    databaseUrl: read('DATABASE_URL', null, parseUrl('postgres:', 'postgresql:')),
    databasePool: read('DATABASE_POOL', '20', parseNumber(2, 1000)),
    redisUrl: optional('REDIS_URL') === null ? null : read('REDIS_URL', null, parseUrl('redis:', 'rediss:')),
    network: {
      baseUrl: read('NETWORK_BASE_URL', 'https://graph.facebook.com', parseUrl('http:', 'https:')).replace(/\/+$/, ''),
      apiVersion: read('NETWORK_API_VERSION', 'v23.0', (value) => {
        if (!/^v\d+\.\d+$/.test(value)) throw new Error(`must look like v23.0 (got ${value})`);
        return value;
      }),
      appId: read('NETWORK_APP_ID', null, text),
      appSecret: read('NETWORK_APP_SECRET', null, text),
      verifyToken: read('NETWORK_VERIFY_TOKEN', null, text),
      timeoutMs: read('NETWORK_TIMEOUT_MS', '10000', parseNumber(1, 600_000)),
    },
    encryptionKeys: read('ENCRYPTION_KEY', null, parseEncryptionKeys),
    egressAllow: read('EGRESS_ALLOW', '', parseCidrs),
    unknownOutcomeHorizonMs: read('UNKNOWN_OUTCOME_HORIZON', '900', parseNumber(1, 604_800)) * 1000,
    leaseMs: read('LEASE_SECONDS', '15', parseNumber(1, 3600)) * 1000,
    messagePrices: read('MESSAGE_PRICES', 'MARKETING=1,UTILITY=1,AUTHENTICATION=1', parsePrices),
    retentionDays: read('RETENTION_DAYS', '30', parseNumber(1, 3650)),
    trustProxy: read('TRUST_PROXY', 'false', parseBoolean),
    adminToken: optional('ADMIN_TOKEN'),
    logLevel: read('LOG_LEVEL', 'info', parseOneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
  };
}

/** A fresh value for `ENCRYPTION_KEY`. */
export const newEncryptionKey = (): string => randomBytes(32).toString('base64');
