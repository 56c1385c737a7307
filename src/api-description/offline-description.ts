import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { FlowProducer, Queue, Worker } from 'bullmq';
import { AppModule } from '../app.module.js';
import { loadEnvironment } from '../config/environment.js';
import { MANIFEST } from '../rooms.js';
import { Metrics } from '../runtime/metrics.js';
import { Shutdown } from '../runtime/shutdown.js';
import { describeApi } from './describe-api.js';
import type { Description } from './open-api.js';

/** Values of the right form; nothing is connected to. */
const ENVIRONMENT = {
  DATABASE_URL: 'postgres://127.0.0.1/parley',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  NETWORK_APP_ID: '1',
  NETWORK_APP_SECRET: 'unused',
  NETWORK_VERIFY_TOKEN: 'unused',
  PARLEY_ROLES: 'api',
};

/** The description without a database: the application is composed in preview mode, where Nest makes no instances. */
export async function describeOffline(): Promise<Description> {
  const backend = {
    queueClass: Queue,
    workerClass: Worker,
    flowProducerClass: FlowProducer,
    connection: {} as never,
    close: async () => {},
  };
  const parts = {
    environment: loadEnvironment(MANIFEST, ENVIRONMENT),
    backend,
    shutdown: new Shutdown(),
    metrics: new Metrics(),
    manifest: MANIFEST,
  };
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(parts), new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return describeApi(app);
}
