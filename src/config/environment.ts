import { randomBytes } from 'node:crypto';
import { type ConnectionSplit, minConnections, splitConnections } from './connection-split.js';
import {
  type EncryptionKey,
  parseCidrs,
  parseCookieName,
  parseDirectoryStore,
  parseEncryptionKeys,
  parseNumber,
  parseOneOf,
  parseOrigins,
  parsePrices,
  parseRoles,
  parseSecret,
  parseTrustedProxies,
  parseUrl,
  type Role,
} from './environment-values.js';
import { readSettings, type SettingsClass } from './settings.js';
import { readTracing, type TracingSettings } from './tracing-settings.js';
import { readerOf, readVariable, type Source } from './variables.js';

/** Fewer characters could be guessed: whoever has the token sees the queues of all accounts. */
const MIN_ADMIN_TOKEN_CHARACTERS = 24;

/** Retention periods. */
export interface Retention {
  /** Days that events and webhook deliveries are kept. */
  readonly retentionDays: number;
  /** Days that messages and finished campaigns are kept; dropped a month at a time; 0 keeps them forever. */
  readonly messageRetentionDays: number;
  /** Days that entries of the audit log are kept. */
  readonly auditRetentionDays: number;
  /** Days that files of inbound messages are kept, if their messages are. */
  readonly mediaRetentionDays: number;
}

/** The configuration of one process, read once at startup. */
export interface Environment extends Retention {
  readonly port: number;
  readonly host: string;
  /** What this process does: serve HTTP, run workers, or both. */
  readonly roles: ReadonlySet<Role>;
  /** Where requests send their statements: PostgreSQL, or a transaction-mode pooler in front of it. */
  readonly databaseUrl: string;
  /** PostgreSQL itself, for work that needs its own session; same as `databaseUrl` without a pooler. */
  readonly databaseDirectUrl: string;
  /** Whether `databaseUrl` points to a transaction-mode pooler. */
  readonly databaseIsPooled: boolean;
  /** Connections to PostgreSQL by purpose, `DATABASE_POOL` in total. */
  readonly connections: ConnectionSplit;
  /** Our address as the network and browsers see it, without a trailing slash; null when it is not known. */
  readonly publicUrl: string | null;
  /** Queues and rate limits use Redis when set, PostgreSQL otherwise. */
  readonly redisUrl: string | null;
  readonly network: {
    readonly baseUrl: string;
    readonly apiVersion: string;
    readonly appId: string;
    readonly appSecret: string;
    readonly verifyToken: string;
    /** Milliseconds to wait for a response before the outcome counts as unknown. */
    readonly timeoutMs: number;
  };
  /** The first key encrypts, all decrypt. */
  readonly encryptionKeys: readonly EncryptionKey[];
  /** Non-public CIDRs that customer-supplied URLs may reach. */
  readonly egressAllow: readonly string[];
  /** Milliseconds until a message of unknown outcome counts as failed. */
  readonly unknownOutcomeHorizonMs: number;
  /** Milliseconds that a worker may hold claimed recipients without renewing its lease. */
  readonly leaseMs: number;
  /** How long all example media of a template may take together, milliseconds. */
  readonly exampleMediaTimeoutMs: number;
  /** Files of inbound messages. */
  readonly media: {
    /** The directory that keeps them, which all processes share. */
    readonly directory: string;
    /** The largest file that is stored, bytes. */
    readonly maxBytes: number;
  };
  /** Credits per recipient and template category. */
  readonly messagePrices: Readonly<Record<string, number>>;
  /** Maximum number of webhook endpoints per account. */
  readonly webhookEndpointLimit: number;
  /** The proxies in front of Parley whose `X-Forwarded-For` is trusted: their number, or their CIDRs. */
  readonly trustProxy: number | readonly string[];
  /** The cookie of people who have signed in. With the prefix `__Host-` browsers send it over HTTPS alone. */
  readonly sessionCookie: string;
  /** The origins whose pages may call the API from a browser; empty allows none. */
  readonly corsOrigins: readonly string[];
  /**
   * Milliseconds that a stopping process keeps serving requests, so that load balancers can take it out of rotation.
   */
  readonly shutdownGraceMs: number;
  /** Where metrics and health are served to operators; null when they are off. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** Whether /docs and /openapi.json are served. */
  readonly apiDocs: boolean;
  /** Whether the console is served at /console. */
  readonly console: boolean;
  readonly adminToken: string | null;
  readonly logLevel: string;
  /** Where traces go; null when nothing is traced. */
  readonly tracing: TracingSettings | null;
  /** What rooms declare as their settings. */
  readonly settings: ReadonlyMap<SettingsClass, object>;
}

/**
 * Reads only the retention periods from the environment.
 *
 * @throws ConfigError as {@link loadEnvironment}
 */
export function readRetention(source: Source): Retention {
  const read = readerOf(source);
  return {
    retentionDays: read('RETENTION_DAYS', '30', parseNumber(1, 3650)),
    messageRetentionDays: read('MESSAGE_RETENTION_DAYS', '0', parseNumber(0, 36_500)),
    auditRetentionDays: read('AUDIT_RETENTION_DAYS', '365', parseNumber(1, 36_500)),
    mediaRetentionDays: read('MEDIA_RETENTION_DAYS', '365', parseNumber(1, 36_500)),
  };
}

/**
 * Reads only our public address from the environment.
 *
 * @throws ConfigError as {@link loadEnvironment}
 */
export function readPublicUrl(source: Source): string | null {
  if (readVariable(source, 'PUBLIC_URL') === null) return null;
  return readerOf(source)('PUBLIC_URL', null, parseUrl('http:', 'https:')).replace(/(?<!\/)\/+$/, '');
}

/**
 * Reads only the network and its app from the environment.
 *
 * @throws ConfigError as {@link loadEnvironment}
 */
export function readNetwork(source: Source): Environment['network'] {
  const read = readerOf(source);
  const text = (value: string) => value;
  return {
    baseUrl: read('NETWORK_BASE_URL', 'https://graph.facebook.com', parseUrl('http:', 'https:')).replace(
      /(?<!\/)\/+$/,
      '',
    ),
    apiVersion: read('NETWORK_API_VERSION', 'v23.0', (value) => {
      if (!/^v\d+\.\d+$/.test(value)) throw new Error(`must look like v23.0 (got ${value})`);
      return value;
    }),
    appId: read('NETWORK_APP_ID', null, text),
    appSecret: read('NETWORK_APP_SECRET', null, text),
    verifyToken: read('NETWORK_VERIFY_TOKEN', null, text),
    timeoutMs: read('NETWORK_TIMEOUT_MS', '10000', parseNumber(1, 600_000)),
  };
}

/** What the rooms of a process need of the environment. */
export interface RoomNeeds {
  readonly queues: readonly string[];
  readonly settings: readonly SettingsClass[];
}

/**
 * Reads and checks the environment.
 *
 * @throws ConfigError with one line that names the variable, the expected format and the value
 */
export function loadEnvironment({ queues, settings }: RoomNeeds, source: Source = process.env): Environment {
  const read = readerOf(source);
  const text = (value: string) => value;
  const optional = (name: string) => readVariable(source, name);
  const metricsHost = read('METRICS_HOST', '127.0.0.1', text);
  const roles = read('PARLEY_ROLES', 'api,worker', parseRoles);
  const databaseUrl = read('DATABASE_URL', null, parseUrl('postgres:', 'postgresql:'));
  const redisUrl = optional('REDIS_URL') === null ? null : read('REDIS_URL', null, parseUrl('redis:', 'rediss:'));
  const databaseDirectUrl = read('DATABASE_DIRECT_URL', databaseUrl, parseUrl('postgres:', 'postgresql:'));
  const connectionUse = {
    worker: roles.has('worker'),
    queuesInPostgres: redisUrl === null ? queues.length : 0,
  };

  return {
    port: read('PORT', '3000', parseNumber(0, 65535)),
    host: read('HOST', '127.0.0.1', text),
    roles,
    databaseUrl,
    databaseDirectUrl,
    databaseIsPooled: optional('DATABASE_DIRECT_URL') !== null,
    connections: read('DATABASE_POOL', '20', (value) =>
      splitConnections(parseNumber(minConnections(connectionUse), 1000)(value), connectionUse),
    ),
    redisUrl,
    publicUrl: readPublicUrl(source),
    network: readNetwork(source),
    encryptionKeys: read('ENCRYPTION_KEY', null, parseEncryptionKeys),
    egressAllow: read('EGRESS_ALLOW', '', parseCidrs),
    unknownOutcomeHorizonMs: read('UNKNOWN_OUTCOME_HORIZON', '900', parseNumber(1, 604_800)) * 1000,
    leaseMs: read('LEASE_SECONDS', '15', parseNumber(1, 3600)) * 1000,
    exampleMediaTimeoutMs: read('EXAMPLE_MEDIA_TIMEOUT', '45', parseNumber(1, 600)) * 1000,
    media: {
      directory: read('MEDIA_STORE', 'directory:/var/lib/parley/media', parseDirectoryStore),
      maxBytes: read('INBOUND_MEDIA_MAX_MB', '100', parseNumber(1, 2000)) * 1024 * 1024,
    },
    messagePrices: read('MESSAGE_PRICES', 'MARKETING=1,UTILITY=1,AUTHENTICATION=1', parsePrices),
    ...readRetention(source),
    webhookEndpointLimit: read('WEBHOOK_ENDPOINT_LIMIT', '20', parseNumber(1, 1000)),
    trustProxy: read('TRUST_PROXY', 'false', parseTrustedProxies),
    sessionCookie: read('SESSION_COOKIE', '__Host-parley', parseCookieName),
    corsOrigins: read('CORS_ORIGINS', '', parseOrigins),
    shutdownGraceMs: read('SHUTDOWN_GRACE_MS', '3000', parseNumber(0, 10_000)),
    metrics:
      optional('METRICS_PORT') === null
        ? null
        : { host: metricsHost, port: read('METRICS_PORT', null, parseNumber(0, 65535)) },
    apiDocs: read('API_DOCS', 'on', parseOneOf('on', 'off')) === 'on',
    console: read('CONSOLE', 'on', parseOneOf('on', 'off')) === 'on',
    adminToken:
      optional('ADMIN_TOKEN') === null ? null : read('ADMIN_TOKEN', null, parseSecret(MIN_ADMIN_TOKEN_CHARACTERS)),
    logLevel: read('LOG_LEVEL', 'info', parseOneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent')),
    tracing: readTracing(read),
    settings: new Map(settings.map((declared) => [declared, readSettings(declared, read)])),
  };
}

/** A fresh value for `ENCRYPTION_KEY`. */
export const newEncryptionKey = (): string => randomBytes(32).toString('base64');
