import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { MIB } from '../http/accepted-body.js';
import { BodyBudget } from '../http/body-budget.js';
import { readBody } from '../http/request-body.js';
import { rejectUnsigned, SIGNATURE_HEADER } from './callback-signature.js';

/** Largest callback, bytes. */
export const MAX_CALLBACK_BYTES = 4 * MIB;
/** Total bytes of the callbacks that one process handles at the same time. */
const MAX_BYTES_AT_ONCE = 64 * MIB;

/**
 * Reads the body of a callback. The signature can only be checked against the complete body, so anyone can make us read
 * one. Requests without a signature are rejected unread, and the total size of all bodies is limited. A body that stalls
 * makes room for those that arrive.
 */
@Injectable()
export class CallbackBodyInterceptor implements NestInterceptor {
  private readonly budget = new BodyBudget(MAX_BYTES_AT_ONCE);

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    rejectUnsigned(request.headers[SIGNATURE_HEADER]);
    const share = this.budget.open();
    try {
      request.body = await readBody(request, MAX_CALLBACK_BYTES, { share });
    } catch (error) {
      share.release();
      throw error;
    }
    return next.handle().pipe(finalize(() => share.release()));
  }
}
