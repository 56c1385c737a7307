import { EgressError } from '../egress/egress-error.js';
import { badRequest, type DomainError, notFound } from '../errors/domain-error.js';

/** 404, also for an endpoint of another account. */
export const endpointNotFound = (endpointId: string): DomainError => notFound(`there is no webhook ${endpointId}`);

/** 400 for a URL that no delivery may go to; other errors are returned as they are. */
export const unusableUrl = (error: unknown): unknown =>
  error instanceof EgressError ? badRequest(`url ${error.message}`) : error;
