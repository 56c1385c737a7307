import { badRequest } from '../../errors/domain-error.js';
import { Anything, isAbsent, OneOf, Optional, wrongChoice } from '../../http/field-rules.js';
import { LogQuery } from '../../http/log-query.dto.js';
import { declaredValues } from '../../manifest/declared-values.js';
import type { Manifest } from '../../manifest/manifest.js';
import type { DeliveryFilter } from '../log/delivery-log.queries.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../webhook-delivery.entity.js';

/** The name of an event. Which there are, only the manifest knows, so {@link DeliveriesQuery.toFilter} checks it. */
const EventName = (): PropertyDecorator => Anything({ type: 'string', ...declaredValues('events') });

/** Query of `GET /api/v1/webhooks/{webhook_id}/deliveries`. */
export class DeliveriesQuery extends LogQuery {
  @Optional()
  @OneOf(DELIVERY_STATUSES)
  status?: DeliveryStatus;

  @Optional()
  @EventName()
  event?: string;

  /** @throws DomainError `bad_request` for an unknown event */
  toFilter({ events }: Manifest): DeliveryFilter {
    const kinds = [...events.keys()];
    if (!isAbsent(this.event) && !kinds.includes(this.event)) throw badRequest(wrongChoice('event', this.event, kinds));
    return { ...(this.status && { status: this.status }), ...(this.event && { kind: this.event }), ...this.toRange() };
  }
}
