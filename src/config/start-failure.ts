import { ConfigError } from './variables.js';

/** A start that would do no good; `message` is the one line that is printed before exit 1. */
export class StartupError extends Error {}

/** Why a process could not start, in one line: a bad value, a taken port, a database out of reach. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigError) return `configuration: ${error.message}`;
  if (error instanceof StartupError) return error.message;
  const fault = error as NodeJS.ErrnoException & { port?: number; address?: string; errors?: NodeJS.ErrnoException[] };
  const cause = fault.errors?.[0] ?? fault;
  const place = `${(cause as { address?: string }).address ?? ''}:${(cause as { port?: number }).port ?? ''}`;
  switch (cause.code) {
    case 'EADDRINUSE':
      return `port ${(cause as { port?: number }).port} is taken by another process: choose another PORT`;
    case 'EACCES':
      return `not allowed to listen on ${place}: choose another PORT`;
    case 'ECONNREFUSED':
      return `no connection to ${place}: is the server of DATABASE_URL or REDIS_URL running?`;
    case 'ENOTFOUND':
      return `the host of DATABASE_URL or REDIS_URL cannot be found: ${cause.message}`;
    case '28P01':
    case '28000':
    case '3D000':
      return `the database refuses DATABASE_URL: ${cause.message}`;
    default:
      return `could not start: ${(fault.message || String(error)).split('\n')[0]}`;
  }
}
