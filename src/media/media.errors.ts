import { badRequest, DomainError, notFound } from '../errors/domain-error.js';
import { NetworkOutcomeUnknown, NetworkRefusal, NetworkUnreachable } from '../network/network-error.js';
import { SECOND } from '../values/clock.js';
import type { RecordId } from '../values/record-id.js';
import type { ServedFile } from './kept-file.queries.js';
import { StoreUnavailable } from './media-store.js';
import { UPLOADS_KEPT_DAYS } from './uploaded-file.queries.js';

const FIRST_RETRY_S = 2;
const LAST_RETRY_S = 60;

/** 404: there is no file of the message any more, or never will be. @param reason continues a sentence about the file */
export const mediaGone = (messageId: RecordId, reason: string | null): DomainError =>
  new DomainError('media_gone', `the file of message ${messageId} is not stored: ${reason ?? 'it is gone'}`);

/** 404: the account has uploaded no file of this id, or its time is over. */
export const uploadNotFound = (id: string, field = 'media_id'): DomainError =>
  notFound(`${field} ${id} is not the id of a file that was uploaded in the last ${UPLOADS_KEPT_DAYS} days`);

/** 400: a file is named twice. @param path of the object that names it, with a dot behind it */
export const bothNamed = (path = ''): DomainError =>
  badRequest(`${path}media_id cannot be combined with ${path}media_url: give one of them`);

/** 503: the store cannot be used now. */
export const storeUnavailable = (use: 'read' | 'written', cause: unknown): DomainError =>
  new DomainError('unavailable', `the media store cannot be ${use} now; try again shortly`, {
    headers: { 'retry-after': '10' },
    cause,
  });

/** A failure to upload a file to the network as the caller's error; other errors stay as they are. Nothing was sent. */
export function uploadFailure(error: unknown, field: string): unknown {
  const what = `the file of ${field} could not be uploaded to the network, and nothing was sent`;
  if (error instanceof StoreUnavailable) return storeUnavailable('read', error);
  if (error instanceof NetworkRefusal && error.errorClass !== 'retry') {
    return new DomainError('network_rejected', `${what}: the network refused it: ${error.message}`, { cause: error });
  }
  if (
    error instanceof NetworkRefusal ||
    error instanceof NetworkUnreachable ||
    error instanceof NetworkOutcomeUnknown
  ) {
    const retryMs = error instanceof NetworkRefusal ? (error.retryAfterMs ?? 0) : 0;
    return new DomainError('network_unavailable', `${what}: ${error.message}; try again shortly`, {
      headers: { 'retry-after': String(Math.max(FIRST_RETRY_S, Math.ceil(retryMs / SECOND))) },
      cause: error,
    });
  }
  return error;
}

/** 503: the file is on its way to the network. */
export const stillUploading = (field: string): DomainError =>
  new DomainError(
    'network_unavailable',
    `the file of ${field} is still being uploaded to the network, and nothing was sent; try again shortly`,
    { headers: { 'retry-after': String(FIRST_RETRY_S) } },
  );

/** 503: the file may still be fetched. */
export const mediaPending = (messageId: RecordId, { reason, dueInMs }: ServedFile): DomainError =>
  new DomainError(
    'unavailable',
    `the file of message ${messageId} was not fetched yet${reason === null ? '' : ` (${reason})`}; try again shortly`,
    {
      headers: {
        'retry-after': String(Math.min(LAST_RETRY_S, Math.max(FIRST_RETRY_S, Math.ceil(dueInMs / SECOND)))),
      },
    },
  );
