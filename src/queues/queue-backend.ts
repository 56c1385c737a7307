import {
  type BackendFactory,
  createPostgresBackend,
  DEFAULT_SCHEMA,
  FlowProducer,
  Queue,
  runMigrations,
  Worker,
  withBackend,
} from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import type { Environment } from '../config/environment.js';
import { PreparingClient } from '../database/preparing-client.js';

/** Connections that BullMQ may hold on PostgreSQL: one listener for each worker, the rest for queries. */
const POOL_SIZE = 10;

/** Where BullMQ keeps its queues: which classes speak to it, over which connection. */
export interface QueueBackend {
  readonly queueClass: typeof Queue;
  readonly workerClass: typeof Worker;
  readonly flowProducerClass: typeof FlowProducer;
  readonly connection: pg.Pool | Redis;
  close(): Promise<void>;
}

/** Redis when `REDIS_URL` is set, PostgreSQL otherwise; one connection pool a process either way. */
export async function openQueueBackend({
  redisUrl,
  databaseUrl,
}: Pick<Environment, 'redisUrl' | 'databaseUrl'>): Promise<QueueBackend> {
  return redisUrl === null ? openPostgres(databaseUrl) : openRedis(redisUrl);
}

async function openPostgres(databaseUrl: string): Promise<QueueBackend> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: POOL_SIZE,
    keepAlive: true,
    application_name: 'parley-queues',
    options: `-c search_path="${DEFAULT_SCHEMA}"`,
    Client: PreparingClient,
  } as pg.PoolConfig);
  pool.on('error', () => undefined);
  try {
    await migrateQueues(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const bound = withBackend(createPostgresBackend as BackendFactory);
  return {
    queueClass: bound.Queue as never,
    workerClass: bound.Worker as never,
    flowProducerClass: bound.FlowProducer as never,
    connection: pool,
    close: () => pool.end(),
  };
}

async function migrateQueues(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await runMigrations(client as never, DEFAULT_SCHEMA);
  } finally {
    client.release();
  }
}

async function openRedis(redisUrl: string): Promise<QueueBackend> {
  const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  return {
    queueClass: Queue,
    workerClass: Worker,
    flowProducerClass: FlowProducer,
    connection: redis,
    close: async () => redis.disconnect(),
  };
}
