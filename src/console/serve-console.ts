import fastifyStatic from '@fastify/static';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '../errors/domain-error.js';
import { errorResponse } from '../http/error.filter.js';
import { consoleFolder } from '../runtime/console-files.js';
import { PAGE_POLICY } from './page-policy.js';

const PATH = '/console';
const ASSETS = `${PATH}/assets/`;

/**
 * Serves the console: its files below /console/assets/, whose names change with their content, and for every other
 * path its one page, which finds the screen by the address.
 *
 * @param warn gets one line if the console has not been built
 * @returns whether it is served
 */
export async function serveConsole(app: NestFastifyApplication, warn: (line: string) => void): Promise<boolean> {
  const folder = consoleFolder();
  if (folder === undefined) {
    warn('the console is not built, so /console is not served: run npm run build');
    return false;
  }
  const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  await server.register(
    async (scope) => {
      scope.setNotFoundHandler(refuse);
      await scope.register(fastifyStatic, {
        root: `${folder}assets`,
        prefix: '/assets/',
        index: false,
        preCompressed: true,
        immutable: true,
        maxAge: '365d',
      });
      const page = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
        reply.headers(PAGE_HEADERS).sendFile('index.html', folder, { cacheControl: false });
      scope.get('/', page);
      scope.get('/*', page);
    },
    { prefix: PATH },
  );
  return true;
}

const PAGE_HEADERS = { 'cache-control': 'no-store', 'content-security-policy': PAGE_POLICY };

/** Answers a file that this version of the console lacks, and methods other than GET. */
function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = ''] = request.url.split('?');
  const isMissing = request.method === 'GET' || request.method === 'HEAD';
  const { status, headers, body } = errorResponse(
    isMissing && path.startsWith(ASSETS)
      ? new DomainError('not_found', 'the console of this version has no such file: load the page again')
      : request.server.routeTable.refusal(request.method, request.url),
  );
  return reply.status(status).headers(headers).header('cache-control', 'no-store').send(body);
}
