import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

const START_PAGE = {
  service: 'Parley',
  api: '/api/v1',
  documentation: '/docs',
  openapi: '/openapi.json',
  health: '/health/ready',
};

/** Answers `GET /` with where everything is. It needs no key. */
export function serveStartPage(app: INestApplication): void {
  const server: FastifyInstance = app.getHttpAdapter().getInstance();
  server.get('/', (_request, reply) => reply.send(START_PAGE));
}
