import { Injectable } from '@nestjs/common';
import { EgressClient } from '../../egress/egress-client.js';
import { EgressGuard } from '../../egress/egress-guard.js';
import { MAX_CONCURRENT_ATTEMPTS } from './attempt-limit.js';

/**
 * The HTTP client for deliveries. Many tenants may have endpoints behind the same origin (a relay service), so
 * connections per origin are bounded only by the pool's own limits. With a lower limit, one tenant's hanging endpoints
 * could use them all.
 */
@Injectable()
export class DeliveryClient extends EgressClient {
  constructor(guard: EgressGuard) {
    super(guard, { connectionsPerOrigin: MAX_CONCURRENT_ATTEMPTS });
  }
}
