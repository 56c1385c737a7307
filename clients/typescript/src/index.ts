// The package's entry: everything that users may import.
export type { ApiAnswer } from './api-call.js';
export { ApiCall } from './api-call.js';
export { ApiList } from './api-list.js';
export type { CsvFile } from './csv-file.js';
export { CsvDownload } from './csv-file.js';
export { FileDownload } from './file-download.js';
export type { OperationId } from './generated/operations.js';
export type * from './generated/schema.js';
export type { MediaFile } from './media-file.js';
export type { AnswerOf, BodyOf, QueryOf } from './operation-types.js';
export type { ParleyOptions } from './parley.js';
export { Parley } from './parley.js';
export type { ErrorCode } from './parley-error.js';
export { ParleyConnectionError, ParleyError, ParleyTimeoutError } from './parley-error.js';
export type { PostOptions, RequestOptions } from './request-options.js';
export type { RateLimit, ResponseDetails } from './response-details.js';
export type {
  UnverifiedWebhook,
  VerifiedWebhook,
  WebhookEvent,
  WebhookEventName,
  WebhookEventOf,
  WebhookFault,
} from './verify-webhook.js';
export { verifyWebhook, WebhookVerificationError } from './verify-webhook.js';
