import { createHash, timingSafeEqual } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FailedAuthentications } from '../auth/api-key.guard.js';
import { callerAddress } from '../auth/caller-address.js';
import { DomainError } from '../errors/domain-error.js';
import { errorResponse } from '../http/error.filter.js';
import { JobQueue, type QueueOverview } from '../queues/job-queue.js';
import { endsWithin } from '../values/ends-within.js';

const PATH = '/admin/queues';
/** Milliseconds within which the queue must answer. */
const QUEUE_TIMEOUT_MS = 2000;

/**
 * Serves operators a read-only page about the queues, as HTML to browsers and as JSON to others. Jobs only wake workers
 * early and hold no state, so there is nothing here to retry or delete.
 */
export function serveQueueBoard(app: NestFastifyApplication, adminToken: string): void {
  const [queue, failures] = [app.get(JobQueue), app.get(FailedAuthentications, { strict: false })];
  const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  server.get(PATH, async (request, reply) => {
    try {
      await authenticate(request, adminToken, failures);
      const queues = await overviewOf(queue);
      void reply.header('cache-control', 'no-store');
      if (request.headers.accept?.includes('text/html') !== true) return reply.send({ queues });
      return sendPage(reply, queues);
    } catch (error) {
      const { status, headers, body } = errorResponse(error);
      return reply.status(status).headers(headers).send(body);
    }
  });
}

/** Takes the token as a bearer token, or as the password of any user, which browsers ask for. */
async function authenticate(
  request: FastifyRequest,
  adminToken: string,
  failures: FailedAuthentications,
): Promise<void> {
  const address = callerAddress(request);
  failures.check(address);
  const given = givenToken(request.headers.authorization);
  if (await failures.attempt(address, async () => (isSame(given, adminToken) ? true : null))) return;
  throw new DomainError('unauthorized', 'ADMIN_TOKEN is required: as bearer token, or as password of any user', {
    headers: { 'www-authenticate': 'Basic realm="Parley", charset="UTF-8"' },
  });
}

function givenToken(header: string | undefined): string {
  const [scheme = '', value = ''] = header?.trim().split(/\s+/) ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme.toLowerCase() !== 'basic') return '';
  const credentials = Buffer.from(value, 'base64').toString('utf8');
  return credentials.slice(credentials.indexOf(':') + 1);
}

/** Takes the same time wherever the two differ, and whatever their lengths. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(digest(given), digest(expected));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** @throws DomainError 503 when the queue does not answer; work waits in the tables meanwhile */
async function overviewOf(queue: JobQueue): Promise<QueueOverview[]> {
  const overview = queue.overview();
  const isUp = await endsWithin(overview, QUEUE_TIMEOUT_MS).catch(() => false);
  if (!isUp) throw new DomainError('unavailable', 'the queue does not answer; work waits in the tables meanwhile');
  return overview;
}

function sendPage(reply: FastifyReply, queues: readonly QueueOverview[]): FastifyReply {
  const cells = (tag: string, values: readonly (string | number)[]): string =>
    `<tr>${values.map((value) => `<${tag}>${value}</${tag}>`).join('')}</tr>`;
  const rows = queues.map(({ name, waiting, active, delayed, failed, oldest }) =>
    cells('td', [name, waiting, active, delayed, failed, oldest ?? '–']),
  );
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'")
    .send(
      `<!doctype html><html lang="en"><head><title>Parley queues</title><meta http-equiv="refresh" content="5">
<style>body{font:16px system-ui;margin:2rem}td,th{padding:.3rem 1rem;text-align:left}</style></head>
<body><h1>Queues</h1><table>${cells('th', ['Queue', 'Waiting', 'Active', 'Delayed', 'Failed', 'Oldest waiting'])}
${rows.join('\n')}</table></body></html>`,
    );
}
