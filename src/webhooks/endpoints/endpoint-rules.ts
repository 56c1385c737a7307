import { EVENT_KINDS, type EventKind } from '../../outbox/event.js';
import type { EndpointStatus, WebhookEndpoint } from '../webhook-endpoint.entity.js';

/** Retries after the first attempt. */
export const RETRY_COUNT = { min: 0, max: 10, default: 3 } as const;
/** Seconds. */
export const TIMEOUT = { min: 1, max: 30, default: 5 } as const;
/** Characters. */
export const SECRET = { min: 1, max: 256 } as const;

/** What the account decides about an endpoint; undefined leaves a setting alone (or gives the default on create). */
export interface EndpointSettings {
  readonly url?: string;
  /** In the clear; null: deliveries are not signed. */
  readonly secret?: string | null;
  readonly subscribedEvents?: readonly EventKind[];
  readonly retryCount?: number;
  readonly timeout?: number;
  readonly status?: EndpointStatus;
}

type Stored = Pick<WebhookEndpoint, 'subscribedEvents' | 'retryCount' | 'timeout'>;

/** The settings of a new endpoint; what is absent gets its default. */
export const withDefaults = (settings: EndpointSettings): Stored => ({
  subscribedEvents: [...new Set(settings.subscribedEvents ?? EVENT_KINDS)],
  retryCount: settings.retryCount ?? RETRY_COUNT.default,
  timeout: settings.timeout ?? TIMEOUT.default,
});

type Changes = Partial<Omit<WebhookEndpoint, 'accountId' | 'id' | 'createdAt'>>;

/**
 * The columns that a PATCH changes. Enabling forgets past failures: the five days until it is disabled start anew. Disabling what is
 * disabled already keeps the first reason.
 *
 * @param sealedSecret the new secret as it is stored; undefined leaves it alone. Replacing it ends a rotation at once.
 */
export function changesOf(
  endpoint: Pick<WebhookEndpoint, 'status'>,
  settings: EndpointSettings,
  sealedSecret: string | null | undefined,
): Changes {
  const { url, subscribedEvents, retryCount, timeout, status } = settings;
  return {
    ...(url === undefined ? {} : { url }),
    ...(subscribedEvents === undefined ? {} : { subscribedEvents: [...new Set(subscribedEvents)] }),
    ...(retryCount === undefined ? {} : { retryCount }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(sealedSecret === undefined ? {} : { secret: sealedSecret, previousSecret: null, previousSecretUntil: null }),
    ...(status === 'active' ? { status, disabledReason: null, failingSince: null } : {}),
    ...(status === 'disabled' && endpoint.status === 'active' ? { status, disabledReason: DISABLED_BY_REQUEST } : {}),
  };
}

/** `disabled_reason` on the record. */
export const DISABLED_BY_REQUEST = 'disabled by request';
export const DISABLED_AS_GONE = 'the endpoint answered 410 Gone';
export const DISABLED_AS_FAILING = 'every delivery has failed for 5 days';
