import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply } from 'fastify';

/** Controller parameter: a signal that is aborted when the client goes away before it has its answer. */
export const ClientGone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const { raw } = context.switchToHttp().getResponse<FastifyReply>();
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
});
