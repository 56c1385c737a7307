import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { type Environment } from './config/environment.js';
import { createFastifyAdapter, drain } from './http/fastify-server.js';
import { serveApiDescription } from './http/openapi.js';
import { createLogger, NestLogger } from './logging/logger.js';
import { openQueueBackend } from './queues/queue-backend.js';

/** A composed process that has not opened its port yet. */
export interface Parley {
  readonly app: NestFastifyApplication;
  /** Opens the port (or, without the api role, only starts the workers) and answers the base URL. */
  listen(): Promise<string>;
  /** Stops taking work, finishes what is under way and closes every connection. */
  close(): Promise<void>;
}

/** Composes Parley for one environment: the same way in production, in the sandbox and in tests. */
export async function createParley(environment: Environment): Promise<Parley> {
  const logger = createLogger(environment.logLevel);
  const backend = await openQueueBackend(environment);
  let app: NestFastifyApplication;
  try {
    app = await NestFactory.create<NestFastifyApplication>(
      AppModule.register(environment, backend),
      createFastifyAdapter(logger, environment.trustProxy),
      { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
    );
  } catch (error) {
    await backend.close();
    throw error;
  }
  if (environment.roles.has('api')) serveApiDescription(app);
  let closing: Promise<void> | null = null;
  return {
    app,
    async listen() {
      if (!environment.roles.has('api')) {
        await app.init();
        return '';
      }
      await app.listen(environment.port, environment.host);
      const address = app.getHttpServer().address() as { port: number };
      const host = environment.host.includes(':') ? `[${environment.host}]` : environment.host;
      return `http://${host}:${address.port}`;
    },
    close() {
      closing ??= drain(app.getHttpServer())
        .then(() => app.close())
        .finally(() => backend.close());
      return closing;
    },
  };
}
