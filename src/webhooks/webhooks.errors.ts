import { EgressError } from '../egress/egress-error.js';
import { badRequest, conflict, type DomainError, notFound } from '../errors/domain-error.js';
import type { WebhookEndpoint } from './webhook-endpoint.entity.js';

/** 404, also for an endpoint of another account. */
export const endpointNotFound = (endpointId: string): DomainError => notFound(`there is no webhook ${endpointId}`);

/** 400 for a URL that no delivery may go to; other errors are returned as they are. */
export const unusableUrl = (error: unknown): unknown =>
  error instanceof EgressError ? badRequest(`url ${error.message}`) : error;

/** 409 beyond the limit of an account. */
export const tooManyEndpoints = (limit: number): DomainError =>
  conflict(`an account may have at most ${limit} webhooks, and has as many: delete one first`);

/** 409 for a URL that another endpoint of the account has. */
export const urlTaken = (url: string): DomainError =>
  conflict(
    `url ${url} is already registered: change that webhook instead, its subscribed_events hold any number of events`,
  );

/** 404, also for a delivery to another endpoint. */
export const deliveryNotFound = (endpointId: string, deliveryId: string): DomainError =>
  notFound(`there is no delivery ${deliveryId} to webhook ${endpointId}`);

/** 409 for what is to be delivered to an endpoint that gets nothing at the moment. */
export const endpointDisabled = ({ id, disabledReason }: Pick<WebhookEndpoint, 'id' | 'disabledReason'>): DomainError =>
  conflict(`webhook ${id} is disabled (${disabledReason}): enable it first with PATCH {"status": "active"}`);

/** 409 for a delivery that is not over. */
export const deliveryPending = (deliveryId: string): DomainError =>
  conflict(`delivery ${deliveryId} is still pending: it is being tried already`);

/** 409 for a delivery whose bytes are gone. */
export const deliveryExpired = (deliveryId: string): DomainError =>
  conflict(`the event of delivery ${deliveryId} is older than events are kept`);

/** 409 for a second replay. */
export const replayUnderWay = (endpointId: string): DomainError =>
  conflict(`a replay to webhook ${endpointId} is under way: GET the webhook to see how far it has come`);

/** 400 for a replay of what has not happened yet. */
export const sinceInFuture = (since: Date): DomainError =>
  badRequest(`since must not lie in the future (got ${since.toISOString()})`);

/** 400 for a replay of what is not kept any more. */
export const sinceTooOld = (since: Date, retentionDays: number): DomainError =>
  badRequest(`since must be within the ${retentionDays} days that events are kept (got ${since.toISOString()})`);
