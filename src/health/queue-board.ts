import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { FailedAuthentications } from '../auth/authentication.guard.js';
import { callerAddress } from '../auth/caller-address.js';
import { DomainError } from '../errors/domain-error.js';
import { errorResponse } from '../http/error.filter.js';
import { SECURITY_HEADERS } from '../http/security-headers.js';
import { JobQueue } from '../queues/job-queue.js';
import { endsWithin } from '../values/ends-within.js';
import { equalSecrets } from '../values/equal-secrets.js';

const PATH = '/admin/queues';
/** Milliseconds within which the queue must answer. */
const QUEUE_TIMEOUT_MS = 2000;
/** The board comes from this server alone; the fonts that its page asks a third party for are not loaded. */
const HEADERS = {
  ...SECURITY_HEADERS,
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'self'; frame-ancestors 'none'",
};

/**
 * Serves operators bull-board, read-only: jobs only wake workers early and hold no state, so there is nothing to retry
 * or delete, and their data are ids.
 */
export async function serveQueueBoard(app: NestFastifyApplication, adminToken: string): Promise<void> {
  // Hardly anybody looks at queues this way, and the board brings its own copy of BullMQ.
  const [{ createBullBoard }, { BullMQAdapter }, { FastifyAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/fastify'),
  ]);
  const [queue, failures] = [app.get(JobQueue), app.get(FailedAuthentications, { strict: false })];
  const board = new FastifyAdapter().setBasePath(PATH);
  createBullBoard({
    queues: queue.all.map((each) => new BullMQAdapter(each as never, { readOnlyMode: true })),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Parley queues' } },
  });
  const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  await server.register(async (guarded) => {
    guarded.addHook('onRequest', async (request, reply) => {
      try {
        await authenticate(request, adminToken, failures);
        refuseChanges(request);
        await requireAnswer(queue);
      } catch (error) {
        return refuse(reply, error);
      }
    });
    guarded.addHook('onSend', async (_request, reply) => void reply.headers(HEADERS));
    await guarded.register(board.registerPlugin() as never, { prefix: PATH });
  });
}

/** Some routes of the board answer 200 in read-only mode, and new ones may forget it. */
function refuseChanges({ method }: FastifyRequest): void {
  if (method !== 'GET' && method !== 'HEAD') throw new DomainError('forbidden', 'the queue board is read-only');
}

/** @throws DomainError 503: commands to a queue that is away would wait for its return */
async function requireAnswer(queue: JobQueue): Promise<void> {
  if (await endsWithin(queue.ping(), QUEUE_TIMEOUT_MS).catch(() => false)) return;
  throw new DomainError('unavailable', 'the queue does not answer; work waits in the tables meanwhile');
}

function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  const { status, headers, body } = errorResponse(error);
  return reply.status(status).headers(headers).send(body);
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
  if (await failures.attempt(address, async () => (equalSecrets(given, adminToken) ? true : null))) return;
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
