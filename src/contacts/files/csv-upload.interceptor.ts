import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { MIB } from '../../http/request-body.interceptor.js';
import { receiveCsv } from './csv-upload.js';
import { UploadFile } from './upload-file.js';

/** Bytes of an import at most. */
export const MAX_IMPORT_BYTES = 64 * MIB;

/**
 * Receives the CSV file of a request before anything else is done with it, as bodies are read and parsed elsewhere,
 * and lets go of it with the answer.
 */
@Injectable()
export class CsvUploadInterceptor implements NestInterceptor {
  private readonly logger = new Logger(CsvUploadInterceptor.name);

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const file = await receiveCsv(request, MAX_IMPORT_BYTES);
    request.body = file;
    return next.handle().pipe(
      finalize(() => {
        file.discard().catch((error: Error) => this.logger.warn(`an upload was not let go of: ${error.message}`));
      }),
    );
  }
}

/** The file that {@link CsvUploadInterceptor} has taken in. */
export function uploadOf({ body }: FastifyRequest): UploadFile {
  if (!(body instanceof UploadFile)) throw new Error('the route takes no upload');
  return body;
}

/** Controller parameter: the uploaded file. */
export const Upload = createParamDecorator((_: unknown, context: ExecutionContext) =>
  uploadOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
