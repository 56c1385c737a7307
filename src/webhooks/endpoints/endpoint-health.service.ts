import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../../audit/audit-log.js';
import { Pipeline } from '../../database/unit-of-work.js';
import type { EndpointKey } from '../../outbox/event-fanout.js';
import { Outbox } from '../../outbox/outbox.js';
import { now } from '../../values/clock.js';
import type { WebhookEndpoint } from '../webhook-endpoint.entity.js';
import { disabledEvent } from '../webhooks.events.js';
import { lockEndpoint, updateEndpoint } from './endpoint.queries.js';
import { DISABLED_AS_FAILING, DISABLED_AS_GONE, FAILURE_EVIDENCE } from './endpoint-rules.js';

/**
 * Disables endpoints on the evidence of their deliveries, and tells the account's other endpoints. It looks at an
 * endpoint again under its lock, since it may have been changed, enabled or deleted meanwhile. The results of other
 * accounts wait for it, so it does not wait long for that lock.
 */
@Injectable()
export class EndpointHealthService {
  private readonly logger = new Logger(EndpointHealthService.name);

  constructor(
    private readonly pipeline: Pipeline,
    private readonly outbox: Outbox,
  ) {}

  /** Disables an endpoint that answered 410 at `url`. */
  disableAsGone(endpoint: EndpointKey, url: string): Promise<void> {
    return this.disable(endpoint, DISABLED_AS_GONE, (stored) => stored.url === url);
  }

  /** Disables an endpoint whose deliveries have failed since `since`, unless one has succeeded meanwhile. */
  disableAsFailing(endpoint: EndpointKey, since: Date): Promise<void> {
    return this.disable(endpoint, DISABLED_AS_FAILING, ({ failedDeliveries, failingSince }) => {
      return failedDeliveries >= FAILURE_EVIDENCE.deliveries && failingSince?.getTime() === since.getTime();
    });
  }

  private async disable(
    { accountId, endpointId }: EndpointKey,
    reason: string,
    isProved: (stored: WebhookEndpoint) => boolean,
  ): Promise<void> {
    const isDisabled = await this.pipeline.transaction(async (tx) => {
      const stored = await lockEndpoint(accountId, endpointId, tx);
      if (stored === null || stored.status !== 'active' || !isProved(stored)) return false;
      const changes = { status: 'disabled', disabledReason: reason } as const;
      await updateEndpoint(accountId, endpointId, changes, tx);
      const entry = { action: 'webhook.disabled', subjectId: endpointId, changes: { reason } } as const;
      await AuditLog.writeBySystem(accountId, entry, tx);
      await this.outbox.write([disabledEvent(Object.assign(stored, changes), now())], tx);
      return true;
    });
    if (!isDisabled) return;
    this.outbox.announce();
    this.logger.log(`webhook ${endpointId} was disabled`);
  }
}
