import { DEFAULT_SCHEMA, FlowProducer, Queue, runMigrations, Worker, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Environment } from '../config/environment.js';
import { MAX_CONNECT_MS, QUEUE_DEADLINES, startupOptions } from '../database/connections/deadlines.js';
import { postgresQueues, QueuePool } from './postgres-queue-connection.js';

/** Where BullMQ keeps its queues: the classes to use and their connection. */
export interface QueueBackend {
  readonly queueClass: typeof Queue;
  readonly workerClass: typeof Worker;
  readonly flowProducerClass: typeof FlowProducer;
  readonly connection: pg.Pool | Redis;
  close(): Promise<void>;
}

/** Opens Redis when `REDIS_URL` is set, PostgreSQL otherwise. */
export async function openQueueBackend({
  redisUrl,
  databaseDirectUrl,
  connections,
}: Pick<Environment, 'redisUrl' | 'databaseDirectUrl' | 'connections'>): Promise<QueueBackend> {
  return redisUrl === null ? openPostgres(databaseDirectUrl, connections.queue) : openRedis(redisUrl);
}

const SEARCH_PATH = `search_path="${DEFAULT_SCHEMA}"`;

/**
 * Each worker reserves one connection of the pool to listen for jobs; the rest run everyone's queries. If the database
 * stops responding, listening connections are closed like any other, and BullMQ opens new ones.
 */
async function openPostgres(databaseUrl: string, poolSize: number): Promise<QueueBackend> {
  await migrateQueues(databaseUrl);
  const pool = new QueuePool({
    connectionString: databaseUrl,
    max: poolSize,
    application_name: 'parley-queues',
    options: startupOptions(QUEUE_DEADLINES, SEARCH_PATH),
    statementMs: QUEUE_DEADLINES.statementMs,
  });
  const bound = withBackend(postgresQueues);
  return {
    queueClass: bound.Queue as never,
    workerClass: bound.Worker as never,
    flowProducerClass: bound.FlowProducer as never,
    connection: pool,
    close: () => pool.end(),
  };
}

/** Migrates the queue schema. Processes that do so at the same time wait for each other. */
export async function migrateQueues(databaseUrl: string): Promise<void> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'parley-migrate',
    options: startupOptions(null, SEARCH_PATH),
    connectionTimeoutMillis: MAX_CONNECT_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await runMigrations(client as never, DEFAULT_SCHEMA);
  } finally {
    await client.end();
  }
}

/** Workers' blocking reads take up to ten seconds. If Redis stays silent longer than this, we reconnect. */
const REDIS_SILENCE_MS = 12_000;

async function openRedis(redisUrl: string): Promise<QueueBackend> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null, socketTimeout: REDIS_SILENCE_MS });
  redis.on('error', () => undefined);
  return {
    queueClass: Queue,
    workerClass: Worker,
    flowProducerClass: FlowProducer,
    connection: redis,
    close: async () => redis.disconnect(),
  };
}
