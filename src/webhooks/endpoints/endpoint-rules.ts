import type { AuditChanges } from '../../audit/audit-entry.entity.js';
import { badRequest } from '../../errors/domain-error.js';
import { isAbsent, wrongChoice, wrongType } from '../../http/field-rules.js';
import type { Manifest } from '../../manifest/manifest.js';
import { DAY } from '../../values/clock.js';
import type { EndpointStatus, WebhookEndpoint } from '../webhook-endpoint.entity.js';
import { headersNeeded } from '../webhooks.errors.js';
import type { OwnHeaders } from './endpoint-headers.js';
import { NO_REPLACED_SECRETS } from './endpoint-secrets.js';

/** Bounds for the retries after the first attempt. */
export const RETRY_COUNT = { min: 0, max: 10, default: 3 } as const;
/** Bounds for the timeout of an attempt, seconds. */
export const TIMEOUT = { min: 1, max: 30, default: 5 } as const;
/** Bounds for the length of a secret, characters. */
export const SECRET = { min: 1, max: 256 } as const;

/**
 * The evidence that disables an endpoint: since its last success, this many deliveries have failed for good, the first
 * of them this much earlier than the last. So neither a short outage nor a single failure of a quiet endpoint suffices.
 */
export const FAILURE_EVIDENCE = { deliveries: 10, spanMs: 5 * DAY } as const;

/** Settings of an endpoint. Undefined keeps a setting, or gives its default for a new endpoint. */
export interface EndpointSettings {
  readonly url?: string;
  /** Plain text; null: deliveries are not signed. */
  readonly secret?: string | null;
  /** Never empty. */
  readonly subscribedEvents?: readonly string[];
  /** Plain text; empty for none. */
  readonly headers?: OwnHeaders;
  readonly retryCount?: number;
  readonly timeout?: number;
  readonly status?: EndpointStatus;
}

/** The settings of an endpoint that is to be registered. */
export type NewEndpoint = EndpointSettings & Required<Pick<EndpointSettings, 'url' | 'subscribedEvents'>>;

/**
 * The events that a field of a request names, each once, as given; null when it names none.
 *
 * @throws DomainError `bad_request` with the first unknown one
 */
export function namedEvents(field: string, value: unknown, { subscriptions }: Manifest): string[] | null {
  if (isAbsent(value)) return null;
  if (!Array.isArray(value)) throw badRequest(wrongType(field, 'an array of event names', value));
  const index = value.findIndex((name) => !subscriptions.includes(name));
  if (index !== -1) throw badRequest(wrongChoice(`${field}[${index}]`, value[index], subscriptions));
  return value.length === 0 ? null : [...new Set<string>(value)];
}

/** Whether a PATCH does no more than disable the endpoint, which any key may do that manages webhooks. */
export const onlyDisables = (settings: EndpointSettings): boolean =>
  Object.entries(settings).every(([name, value]) => value === undefined || (name === 'status' && value === 'disabled'));

type Stored = Pick<WebhookEndpoint, 'subscribedEvents' | 'retryCount' | 'timeout'>;

/** The settings of a new endpoint, with defaults for absent ones. */
export const withDefaults = (settings: NewEndpoint): Stored => ({
  subscribedEvents: [...settings.subscribedEvents],
  retryCount: settings.retryCount ?? RETRY_COUNT.default,
  timeout: settings.timeout ?? TIMEOUT.default,
});

type Changes = Partial<Omit<WebhookEndpoint, 'accountId' | 'id' | 'createdAt'>>;

/** An endpoint without failures. */
export const HEALTHY = { failedDeliveries: 0, failingSince: null } as const;

/**
 * The columns that a PATCH changes. Enabling an endpoint or giving it another URL clears its failures. Disabling an
 * endpoint that is already disabled keeps the first reason.
 *
 * @throws DomainError `bad_request` for a URL of another origin without headers, if the endpoint has any
 * @param sealed the new secret and headers, encrypted; undefined keeps the old ones. Replacing the secret ends a
 *   rotation immediately.
 */
export function changesOf(
  endpoint: Pick<WebhookEndpoint, 'status' | 'url' | 'headerNames'>,
  settings: EndpointSettings,
  sealed: { readonly secret?: string | null; readonly headers?: string | null },
): Changes {
  const { url, subscribedEvents, retryCount, timeout, status, headers } = settings;
  // Headers hold passwords that nobody can read back. Another server must not get them by a change of the URL alone.
  if (url !== undefined && headers === undefined && endpoint.headerNames.length > 0) {
    if (new URL(url).origin !== new URL(endpoint.url).origin) throw headersNeeded(endpoint.headerNames);
  }
  return {
    // A duplicate keeps its mark as long as it keeps its URL.
    ...(url === undefined || url === endpoint.url ? {} : { url, isDuplicate: false, ...HEALTHY }),
    ...(subscribedEvents === undefined ? {} : { subscribedEvents: [...subscribedEvents] }),
    ...(retryCount === undefined ? {} : { retryCount }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(sealed.secret === undefined ? {} : { secret: sealed.secret, ...NO_REPLACED_SECRETS }),
    ...(headers === undefined || sealed.headers === undefined
      ? {}
      : { headers: sealed.headers, headerNames: Object.keys(headers).sort() }),
    ...(status === 'active' ? { status, disabledReason: null, ...HEALTHY } : {}),
    ...(status === 'disabled' && endpoint.status === 'active' ? { status, disabledReason: DISABLED_BY_REQUEST } : {}),
  };
}

/** Values of `disabled_reason`. */
export const DISABLED_BY_REQUEST = 'disabled by request';
export const DISABLED_AS_GONE = 'the endpoint answered 410 Gone';
export const DISABLED_AS_FAILING =
  `at least ${FAILURE_EVIDENCE.deliveries} deliveries failed over ${FAILURE_EVIDENCE.spanMs / DAY} days, ` +
  'and none succeeded';

/**
 * The given settings as the audit log records them. Of the URL only the origin, and of the secret only that it was set
 * or removed, and of its headers the names, because paths and queries often contain tokens.
 */
export function auditedSettings(settings: EndpointSettings): AuditChanges {
  const { url, secret, subscribedEvents, retryCount, timeout, status, headers } = settings;
  return {
    ...(url !== undefined && { url: new URL(url).origin }),
    ...(secret !== undefined && { secret: secret === null ? 'removed' : 'set' }),
    ...(headers !== undefined && { header_names: Object.keys(headers).sort() }),
    ...(subscribedEvents !== undefined && { subscribed_events: [...subscribedEvents] }),
    ...(retryCount !== undefined && { retry_count: retryCount }),
    ...(timeout !== undefined && { timeout }),
    ...(status !== undefined && { status }),
  };
}
