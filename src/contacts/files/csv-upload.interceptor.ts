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
import { callerOf } from '../../auth/caller.js';
import { MIB } from '../../http/accepted-body.js';
import { OpenRequests } from '../../http/open-requests.js';
import { receiveCsv } from './csv-upload.js';
import { UploadFile } from './upload-file.js';

/** Largest import, bytes. */
export const MAX_IMPORT_BYTES = 64 * MIB;
/** Uploads of one account that are received, wait or are imported at once in this process. */
const MAX_OPEN_PER_ACCOUNT = 4;
/** The same of all accounts, which share them fairly: at most 2 GiB of temporary files. */
const MAX_OPEN = 32;

/**
 * Receives the CSV file of a request before the handler runs, in place of the usual body parsing, and discards it after
 * the response.
 */
@Injectable()
export class CsvUploadInterceptor implements NestInterceptor {
  private readonly logger = new Logger(CsvUploadInterceptor.name);
  private readonly uploads = new OpenRequests({
    maxPerAccount: MAX_OPEN_PER_ACCOUNT,
    max: MAX_OPEN,
    of: 'uploads',
    consequence: 'nothing was imported',
  });

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const upload = this.uploads.open(callerOf(request).accountId);
    const file = await receiveCsv(request, MAX_IMPORT_BYTES, upload).catch((error) => {
      upload.close();
      throw error;
    });
    upload.keep();
    request.body = file;
    return next.handle().pipe(
      finalize(() => {
        upload.close();
        file
          .discard()
          .catch((error: Error) => this.logger.warn(`an uploaded file could not be discarded: ${error.message}`));
      }),
    );
  }
}

/** The file that {@link CsvUploadInterceptor} received. */
export function uploadOf({ body }: FastifyRequest): UploadFile {
  if (!(body instanceof UploadFile)) throw new Error('the route does not use CsvUploadInterceptor');
  return body;
}

/** Controller parameter: the uploaded file. */
export const Upload = createParamDecorator((_: unknown, context: ExecutionContext) =>
  uploadOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
