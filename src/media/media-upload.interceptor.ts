import { Readable } from 'node:stream';
import {
  type CallHandler,
  createParamDecorator,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { finalize, type Observable } from 'rxjs';
import { callerOf } from '../auth/caller.js';
import { MEDIA_LIMITS } from '../egress/media-limits.js';
import { badRequest, DomainError } from '../errors/domain-error.js';
import { MIB } from '../http/accepted-body.js';
import { type OpenRequest, OpenRequests } from '../http/open-requests.js';
import { type FormFile, plainType, receiveForm, tooLarge, uploadedBytes } from '../http/uploaded-form.js';
import { MINUTE } from '../values/clock.js';
import { newRecordId } from '../values/record-id.js';
import { CheckedUpload, FILE_FIELD, IncomingUpload, removeBytes } from './incoming-upload.js';
import { storeUnavailable } from './media.errors.js';
import { mediaKey } from './media-key.js';
import { MediaStore, StoreUnavailable } from './media-store.js';

/** Largest body of an upload, bytes: the largest file, and what a form adds. */
export const MAX_UPLOAD_BYTES = MEDIA_LIMITS.document.maxBytes + MIB;
/** How long an upload may take in total, milliseconds: enough for the largest file at 1 Mbit/s. */
const TOTAL_TIMEOUT_MS = 15 * MINUTE;
/** Uploads of one account that this process receives at once. */
const MAX_OPEN_PER_ACCOUNT = 4;
/** The same of all accounts, which share them fairly. Each holds a socket and a file, and little memory. */
const MAX_OPEN = 32;

/**
 * Passes the file of a request on to the store before the handler runs, in place of the usual body parsing, and deletes it
 * after the response unless the handler has kept it.
 */
@Injectable()
export class MediaUploadInterceptor implements NestInterceptor {
  private readonly uploads = new OpenRequests({
    maxPerAccount: MAX_OPEN_PER_ACCOUNT,
    max: MAX_OPEN,
    of: 'uploads',
    consequence: 'nothing was stored',
  });

  constructor(private readonly store: MediaStore) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { accountId } = callerOf(request);
    const open = this.uploads.open(accountId);
    const upload = await this.receive(request, accountId, open).catch((error) => {
      open.close();
      throw error instanceof StoreUnavailable ? storeUnavailable('written', error) : error;
    });
    open.keep();
    request.body = upload;
    return next.handle().pipe(
      finalize(() => {
        open.close();
        void upload.end();
      }),
    );
  }

  private async receive(
    { body, headers }: FastifyRequest,
    accountId: string,
    open: OpenRequest,
  ): Promise<IncomingUpload> {
    const type = headers['content-type'] ?? '';
    if (plainType(type) !== 'multipart/form-data') {
      const got = type || 'no Content-Type';
      throw new DomainError('unsupported_media_type', `the file must be sent as multipart/form-data (got ${got})`);
    }
    if (Number(headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES) throw tooLarge(MAX_UPLOAD_BYTES);
    if (!(body instanceof Readable)) throw badRequest(MISSING);
    const owner = { accountId, id: newRecordId() };
    let checked: CheckedUpload | undefined;
    const put = (file: FormFile): Promise<void> => {
      checked = new CheckedUpload(file, owner);
      return this.store.put(mediaKey({ accountId, messageId: owner.id }), checked);
    };
    try {
      const limits = { maxBytes: MAX_UPLOAD_BYTES, withinMs: TOTAL_TIMEOUT_MS };
      await receiveForm(uploadedBytes(body, limits, open), type, put, MISSING);
      if (checked === undefined) throw badRequest(MISSING);
      return new IncomingUpload(checked.facts(), this.store);
    } catch (error) {
      // The form may have been refused for what follows the file.
      await removeBytes(owner, this.store);
      throw error;
    }
  }
}

const MISSING = `the form must contain a file in the field ${FILE_FIELD}`;

/** The file that {@link MediaUploadInterceptor} received. */
export function uploadOf({ body }: FastifyRequest): IncomingUpload {
  if (!(body instanceof IncomingUpload)) throw new Error('the route does not use MediaUploadInterceptor');
  return body;
}

/** Controller parameter: the uploaded file. */
export const Upload = createParamDecorator((_: unknown, context: ExecutionContext) =>
  uploadOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
