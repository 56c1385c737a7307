import type { AuditChanges } from '../../audit/audit-entry.entity.js';
import type { EndpointSettings } from './endpoint-rules.js';

/**
 * The given settings as the audit log records them. Of the URL only the origin, and of the secret only that it was set
 * or removed, because paths and queries often contain tokens.
 */
export function auditedSettings(settings: EndpointSettings): AuditChanges {
  const { url, secret, subscribedEvents, retryCount, timeout, status } = settings;
  return {
    ...(url !== undefined && { url: new URL(url).origin }),
    ...(secret !== undefined && { secret: secret === null ? 'removed' : 'set' }),
    ...(subscribedEvents !== undefined && { subscribed_events: [...new Set(subscribedEvents)] }),
    ...(retryCount !== undefined && { retry_count: retryCount }),
    ...(timeout !== undefined && { timeout }),
    ...(status !== undefined && { status }),
  };
}
