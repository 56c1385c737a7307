import { createServer, type Server, type ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { StartupError } from '../config/start-failure.js';
import type { Metrics } from '../runtime/metrics.js';
import { MINUTE } from '../values/clock.js';
import { OncePer } from '../values/once-per.js';
import type { Health } from './health.js';

/** Milliseconds a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 10_000;

const logger = new Logger('OperationsServer');

/** Serves metrics and health on a separate port for operators, for any roles. Never expose it to the internet. */
export class OperationsServer {
  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  /** @throws StartupError when the port cannot be opened */
  static async open(
    { host, port }: { readonly host: string; readonly port: number },
    metrics: Metrics,
    health: Health,
  ): Promise<OperationsServer> {
    const logLimit = new OncePer(MINUTE);
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
      answer(request.url ?? '/', response, metrics, health).catch((error: Error) => {
        if (logLimit.allows('failure')) logger.error(`an operator's request failed: ${error.message}`, error.stack);
        if (response.headersSent) response.destroy();
        else sendJson(response, 500, { error: 'internal_error', message: 'the request failed; the log says why' });
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error) => reject(new StartupError(`METRICS_PORT cannot be opened: ${error.message}`)));
      server.listen(port, host, resolve);
    });
    const address = server.address() as { port: number };
    return new OperationsServer(server, `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.server.closeAllConnections();
    await closed;
  }
}

async function answer(url: string, response: ServerResponse, metrics: Metrics, health: Health): Promise<void> {
  switch (url.split('?')[0]) {
    case '/metrics':
      response.setHeader('content-type', metrics.contentType).end(await metrics.text());
      return;
    case '/health/live':
      sendJson(response, 200, { status: 'ok' });
      return;
    case '/health/ready': {
      const readiness = await health.readiness();
      sendJson(response, readiness.status === 'ok' ? 200 : 503, readiness);
      return;
    }
    default:
      sendJson(response, 404, {
        error: 'not_found',
        message: 'no such route; try /metrics, /health/live or /health/ready',
      });
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
