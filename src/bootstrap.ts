import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { serveApiDescription } from './api-description/serve-description.js';
import { AppModule } from './app.module.js';
import type { Environment } from './config/environment.js';
import { serveConsole } from './console/serve-console.js';
import { ledgersOf } from './database/schema/ledgers.js';
import { awaitDatabase } from './database/schema/schema-state.js';
import { Health } from './health/health.js';
import { OperationsServer } from './health/operations-server.js';
import { serveQueueBoard } from './health/queue-board.js';
import { allowOrigins } from './http/cors.js';
import { createFastifyAdapter } from './http/fastify-server.js';
import { OpenConnections } from './http/open-connections.js';
import { createLogger, NestLogger } from './logging/logger.js';
import { requireOwnNames } from './manifest/extension.js';
import type { Manifest } from './manifest/manifest.js';
import { openQueueBackend, type QueueBackend } from './queues/queue-backend.js';
import { MANIFEST } from './rooms.js';
import { Metrics } from './runtime/metrics.js';
import { Shutdown } from './runtime/shutdown.js';
import { boundShutdownHooks } from './runtime/shutdown-hooks.js';
import { openTracing, type Tracing } from './tracing/tracing.js';
import { endsWithin } from './values/ends-within.js';

const START_PAGE = {
  service: 'Parley',
  api: '/api/v1',
  documentation: '/docs',
  openapi: '/openapi.json',
  health: '/health/ready',
};

/** A composed Parley process. */
export interface Parley {
  readonly app: NestFastifyApplication;
  /** The base URL of metrics and health for operators, once listening; null without `METRICS_PORT`. */
  readonly operationsUrl: string | null;
  /** Opens the port and returns the base URL. Without the api role, only starts the workers and returns ''. */
  listen(): Promise<string>;
  /**
   * Keeps answering for `SHUTDOWN_GRACE_MS`, then stops taking work, finishes the work under way and closes every
   * connection. Takes less than 30 seconds, even when the database or Redis is unavailable.
   */
  close(): Promise<void>;
}

/**
 * Composes Parley for one environment, the same way in production, the sandbox and tests.
 *
 * @param manifest what all rooms declare
 */
export async function createParley(environment: Environment, manifest: Manifest = MANIFEST): Promise<Parley> {
  requireOwnNames(manifest);
  const logger = createLogger(environment.logLevel, environment.tracing !== null);
  const database = { url: environment.databaseUrl, isPooled: environment.databaseIsPooled };
  await awaitDatabase(database, ledgersOf(manifest), (reason) => logger.warn(`waiting for the database: ${reason}`));
  const backend = await openQueueBackend(environment);
  const tracing = await openTracing(environment.tracing, (line) => logger.warn(line));
  const [shutdown, metrics] = [new Shutdown(), new Metrics()];
  let app: NestFastifyApplication;
  try {
    app = await NestFactory.create<NestFastifyApplication>(
      AppModule.register({ environment, backend, shutdown, metrics, manifest }),
      createFastifyAdapter(logger, environment, shutdown, metrics),
      { logger: new NestLogger(logger), bodyParser: false, abortOnError: false },
    );
  } catch (error) {
    await backend.close();
    await tracing.close(0);
    throw error;
  }
  boundShutdownHooks(app, shutdown);
  if (environment.roles.has('api')) {
    allowOrigins(app, environment.corsOrigins);
    if (environment.apiDocs) serveApiDescription(app);
    const hasConsole = environment.console && (await serveConsole(app, (line) => logger.warn(line)));
    serveStartPage(app, hasConsole);
    if (environment.adminToken !== null) await serveQueueBoard(app, environment.adminToken);
  }
  return new ComposedParley(app, environment, { backend, tracing }, shutdown, metrics);
}

class ComposedParley implements Parley {
  private readonly connections: OpenConnections;
  private operations: OperationsServer | null = null;
  private closing: Promise<void> | null = null;

  constructor(
    readonly app: NestFastifyApplication,
    private readonly environment: Environment,
    private readonly outside: { readonly backend: QueueBackend; readonly tracing: Tracing },
    private readonly shutdown: Shutdown,
    private readonly metrics: Metrics,
  ) {
    this.connections = new OpenConnections(app.getHttpServer());
  }

  get operationsUrl(): string | null {
    return this.operations?.url ?? null;
  }

  async listen(): Promise<string> {
    const { host, port, roles, metrics } = this.environment;
    if (metrics !== null) {
      this.metrics.observeProcess();
      this.operations = await OperationsServer.open(metrics, this.metrics, this.app.get(Health));
    }
    if (!roles.has('api')) {
      await this.app.init();
      return '';
    }
    await this.app.listen(port, host);
    const address = this.app.getHttpServer().address() as { port: number };
    return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  }

  close(): Promise<void> {
    this.closing ??= this.stop();
    return this.closing;
  }

  private async stop(): Promise<void> {
    this.shutdown.begin();
    if (this.app.getHttpServer().listening) {
      await pause(this.environment.shutdownGraceMs);
      await this.connections.drain(this.shutdown.remaining('requests'));
    }
    try {
      await endsWithin(this.app.close(), this.shutdown.remaining('all'));
    } finally {
      await Promise.all([
        endsWithin(this.outside.backend.close(), MAX_BACKEND_CLOSE_MS),
        this.outside.tracing.close(MAX_TRACING_CLOSE_MS),
      ]);
      await this.operations?.close();
    }
  }
}

/** Milliseconds for closing the queue's connections, which are idle by then. */
const MAX_BACKEND_CLOSE_MS = 500;
/** Milliseconds for sending the last spans. */
const MAX_TRACING_CLOSE_MS = 500;

/** Answers `GET /` with where everything is. It needs no key. People, whose browsers ask for a page, get the console. */
function serveStartPage(app: INestApplication, hasConsole: boolean): void {
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  server.get('/', ({ headers }, reply) => {
    if (!hasConsole) return reply.send(START_PAGE);
    void reply.header('vary', 'Accept');
    return headers.accept?.includes('text/html') ? reply.redirect('/console/') : reply.send(START_PAGE);
  });
}
