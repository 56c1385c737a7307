import { EVENT_KINDS, type EventKind } from '../../outbox/event.js';
import type { EndpointStatus, WebhookEndpoint } from '../webhook-endpoint.entity.js';

/** Bounds for the retries after the first attempt. */
export const RETRY_COUNT = { min: 0, max: 10, default: 3 } as const;
/** Bounds for the timeout of an attempt, seconds. */
export const TIMEOUT = { min: 1, max: 30, default: 5 } as const;
/** Bounds for the length of a secret, characters. */
export const SECRET = { min: 1, max: 256 } as const;

/** Settings of an endpoint. Undefined keeps a setting, or gives its default for a new endpoint. */
export interface EndpointSettings {
  readonly url?: string;
  /** Plain text; null: deliveries are not signed. */
  readonly secret?: string | null;
  readonly subscribedEvents?: readonly EventKind[];
  readonly retryCount?: number;
  readonly timeout?: number;
  readonly status?: EndpointStatus;
}

type Stored = Pick<WebhookEndpoint, 'subscribedEvents' | 'retryCount' | 'timeout'>;

/** The settings of a new endpoint, with defaults for absent ones. */
export const withDefaults = (settings: EndpointSettings): Stored => ({
  subscribedEvents: [...new Set(settings.subscribedEvents ?? EVENT_KINDS)],
  retryCount: settings.retryCount ?? RETRY_COUNT.default,
  timeout: settings.timeout ?? TIMEOUT.default,
});

type Changes = Partial<Omit<WebhookEndpoint, 'accountId' | 'id' | 'createdAt'>>;

/**
 * The columns that a PATCH changes. Enabling an endpoint or giving it another URL clears its failures, so the five days
 * until it is disabled start over. Disabling an endpoint that is already disabled keeps the first reason.
 *
 * @param sealedSecret the new secret, encrypted; undefined keeps the old one. Replacing it ends a rotation
 *   immediately.
 */
export function changesOf(
  endpoint: Pick<WebhookEndpoint, 'status' | 'url'>,
  settings: EndpointSettings,
  sealedSecret: string | null | undefined,
): Changes {
  const { url, subscribedEvents, retryCount, timeout, status } = settings;
  return {
    ...(url === undefined ? {} : { url }),
    ...(url === undefined || url === endpoint.url ? {} : { failingSince: null }),
    ...(subscribedEvents === undefined ? {} : { subscribedEvents: [...new Set(subscribedEvents)] }),
    ...(retryCount === undefined ? {} : { retryCount }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(sealedSecret === undefined ? {} : { secret: sealedSecret, previousSecret: null, previousSecretUntil: null }),
    ...(status === 'active' ? { status, disabledReason: null, failingSince: null } : {}),
    ...(status === 'disabled' && endpoint.status === 'active' ? { status, disabledReason: DISABLED_BY_REQUEST } : {}),
  };
}

/** Values of `disabled_reason`. */
export const DISABLED_BY_REQUEST = 'disabled by request';
export const DISABLED_AS_GONE = 'the endpoint answered 410 Gone';
export const DISABLED_AS_FAILING = 'every delivery has failed for 5 days';
