import type { LoggerService } from '@nestjs/common';
import { type Logger, pino } from 'pino';
import { StartupError } from '../config/start-failure.js';
import { loggedPath } from '../http/request-log.js';
import { traceFields } from '../tracing/spans.js';

/** Paths of logged objects that may contain a secret. */
const REDACTED = [
  'req.headers.authorization',
  'req.headers.cookie',
  'headers.authorization',
  '*.authorization',
  '*.access_token',
  '*.api_key',
  '*.secret',
  '*.password',
  '*.token',
];

/**
 * Creates the process's logger: JSON lines on stdout, secrets redacted. Request headers and bodies are never logged.
 *
 * @param level a pino level
 * @param isTracing whether lines name their trace
 */
export function createLogger(level: string, isTracing = false): Logger {
  return pino({
    level,
    ...(isTracing && { mixin: traceFields }),
    base: { pid: process.pid },
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: REDACTED, censor: '[redacted]' },
    serializers: {
      req: (request: { id?: string; method?: string; url?: string; ip?: string }) => ({
        id: request.id,
        method: request.method,
        path: loggedPath(request.url ?? ''),
        remote_address: request.ip,
      }),
      res: (response: { statusCode?: number }) => ({ status: response.statusCode }),
    },
  });
}

/** Routes Nest's `Logger` through pino. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...rest: unknown[]): void {
    // Nest logs every route and module at startup; that belongs at debug level.
    const context = contextOf(rest);
    const level = NEST_OWN.has(context ?? '') ? 'debug' : 'info';
    this.logger[level]({ context }, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    // Nest logs what ends a start, which the program then says in one line.
    if (message instanceof StartupError) return;
    const fields = { context: contextOf(rest), stack: rest.length > 1 ? rest[0] : undefined };
    if (message instanceof Error) this.logger.error({ ...fields, err: message }, message.message);
    else this.logger.error(fields, String(message));
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ context: contextOf(rest) }, String(message));
  }

  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ context: contextOf(rest) }, String(message));
  }

  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ context: contextOf(rest) }, String(message));
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.logger.fatal({ context: contextOf(rest) }, String(message));
  }
}

const NEST_OWN = new Set(['NestFactory', 'InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestApplication']);

const contextOf = (rest: unknown[]): string | undefined => {
  const last = rest.at(-1);
  return typeof last === 'string' ? last : undefined;
};
