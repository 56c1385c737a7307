import { createHash } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { isListed } from '../http/file-download.js';
import { describeApi } from './describe-api.js';

/** Serves the description at /openapi.json and a page to read it at /docs. */
export function serveApiDescription(app: INestApplication): void {
  const describe = once(() => describeApi(app) as unknown as OpenAPIObject);
  serveAsJson(app.getHttpAdapter().getInstance(), '/openapi.json', describe);
  SwaggerModule.setup('docs', app, describe, {
    // It would serialise the description anew for each request, which holds up all others.
    raw: false,
    customSiteTitle: 'Parley API',
    // The page’s own name and logo give way to ours.
    customCss: '.swagger-ui .topbar { display: none }',
    swaggerOptions: { docExpansion: 'none', persistAuthorization: false },
  });
}

/** Serves what `read` returns as JSON. Reads and serialises it once, for the first request. */
export function serveAsJson(server: FastifyInstance, path: string, read: () => object): void {
  const document = once(() => {
    const bytes = Buffer.from(JSON.stringify(read()));
    return { bytes, etag: `"${createHash('sha256').update(bytes).digest('hex')}"` };
  });
  server.get(path, ({ headers }, reply) => {
    const { bytes, etag } = document();
    void reply.header('etag', etag);
    if (isListed(headers['if-none-match'], etag)) return reply.status(304).send();
    return reply.type('application/json; charset=utf-8').send(bytes);
  });
}

function once<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
