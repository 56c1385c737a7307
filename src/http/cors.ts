import type { INestApplication } from '@nestjs/common';

/** Headers of our responses that a page may read. */
const EXPOSED_HEADERS = [
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'X-Request-Id',
  'X-Message-Id',
  'X-Ignored-Fields',
  'Idempotency-Replayed',
];
/** `User-Agent`: some browsers let a page set it, which parley-client does. */
const ALLOWED_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'X-Request-Id',
  'User-Agent',
  'Range',
  'If-Range',
  'If-None-Match',
];
/** How long a browser may remember what a preflight request allowed, seconds. */
const PREFLIGHT_SECONDS = 600;

/** Lets pages of these origins call the API from a browser. Keys are sent as a header, so cookies stay out. */
export function allowOrigins(app: INestApplication, origins: readonly string[]): void {
  if (origins.length === 0) return;
  app.enableCors({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    allowedHeaders: ALLOWED_HEADERS,
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
  });
}
