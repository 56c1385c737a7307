import { ConfigError } from './variables.js';

/** A reason not to start; `message` is the one line printed before exit 1. */
export class StartupError extends Error {}

/** Explains in one line why a process could not start: an invalid value, a port in use, an unreachable database. */
export function describeStartFailure(error: unknown): string {
  if (error instanceof ConfigError) return `configuration: ${error.message}`;
  if (error instanceof StartupError) return error.message;
  const fault = error as NodeJS.ErrnoException & { port?: number; address?: string; errors?: NodeJS.ErrnoException[] };
  const cause = fault.errors?.[0] ?? fault;
  const place = `${(cause as { address?: string }).address ?? ''}:${(cause as { port?: number }).port ?? ''}`;
  switch (cause.code) {
    case 'EADDRINUSE':
      return `port ${(cause as { port?: number }).port} is already in use: set PORT to another one`;
    case 'EACCES':
      return `not allowed to listen on ${place}: set PORT to another one`;
    case 'ECONNREFUSED':
      return `no connection to ${place}: is the server of DATABASE_URL or REDIS_URL running?`;
    case 'ENOTFOUND':
      return `cannot resolve the host in DATABASE_URL or REDIS_URL: ${cause.message}`;
    case '28P01':
    case '28000':
    case '3D000':
      return `the database rejected DATABASE_URL: ${cause.message}`;
    default:
      return `could not start: ${(fault.message || String(error)).split('\n')[0]}`;
  }
}
