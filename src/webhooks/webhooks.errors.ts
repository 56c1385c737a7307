import { EgressError } from '../egress/egress-error.js';
import { badRequest, conflict, type DomainError, notFound } from '../errors/domain-error.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** 404, also for an endpoint of another account. */
export const endpointNotFound = (endpointId: string): DomainError => notFound(`webhook ${endpointId} not found`);

/** 400 for a URL that deliveries must not go to; other errors are returned unchanged. */
export const unusableUrl = (error: unknown): unknown =>
  error instanceof EgressError ? badRequest(`url ${error.message}`) : error;

/** 400 for a URL of another origin when the endpoint has headers of its own. */
export const headersNeeded = (names: readonly string[]): DomainError =>
  badRequest(
    `headers is required when url changes to another origin, because the webhook has headers (${names.join(', ')}). ` +
      'Give them again, or null to remove them',
  );

/** 409 when the account has reached its limit. */
export const tooManyEndpoints = (limit: number): DomainError =>
  conflict(`the account has reached its limit of ${limit} webhooks. Delete one first`);

/** 409 for a URL that another endpoint of the account already has. */
export const urlTaken = (url: string): DomainError =>
  conflict(`url ${url} is already registered. Update that webhook instead: it can subscribe to any number of events`);

/** 409 when the maximum number of secrets already signs. */
export const tooManySecrets = (limit: number, until: Date): DomainError =>
  conflict(
    `${limit} secrets of the webhook sign already. Rotate again after ${until.toISOString()}, when the oldest of them ` +
      'ends, or replace all of them at once with PATCH {"secret": …}',
  );

/** 404, also for a delivery to another endpoint. */
export const deliveryNotFound = (endpointId: string, deliveryId: string): DomainError =>
  notFound(`delivery ${deliveryId} to webhook ${endpointId} not found`);

/** 409 for a delivery to a disabled endpoint. */
export const endpointDisabled = ({ id, disabledReason }: Pick<WebhookEndpoint, 'id' | 'disabledReason'>): DomainError =>
  conflict(`webhook ${id} is disabled (${disabledReason}). Enable it first with PATCH {"status": "active"}`);

/** 409 for a delivery that has not finished. */
export const deliveryPending = (deliveryId: string): DomainError =>
  conflict(`delivery ${deliveryId} is still pending and will be attempted anyway`);

/** 409 for a delivery whose event is no longer stored. */
export const deliveryExpired = (deliveryId: string): DomainError =>
  conflict(`the event of delivery ${deliveryId} is past its retention period`);

/** 409 for a second replay. */
export const replayUnderWay = (endpointId: string): DomainError =>
  conflict(`a replay to webhook ${endpointId} is already running. GET the webhook to see its progress`);

/** 409 for cancelling a replay that is over, or never was. */
export const noReplay = (endpointId: string): DomainError => conflict(`no replay to webhook ${endpointId} is running`);

/** 400 for a replay from a time in the future. */
export const sinceInFuture = (since: Date): DomainError =>
  badRequest(`since must not be in the future (got ${since.toISOString()})`);

/** 400 for a replay from before the retention period. */
export const sinceTooOld = (since: Date, retentionDays: number): DomainError =>
  badRequest(
    `since must be within the last ${retentionDays} days, the retention period of events (got ${since.toISOString()})`,
  );
