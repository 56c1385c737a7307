import { Injectable } from '@nestjs/common';
import { EgressClient } from '../../egress/egress-client.js';
import { EgressGuard } from '../../egress/egress-guard.js';
import { MAX_ATTEMPTS } from './delivery-pool-bounds.js';

/**
 * The client that deliveries go out through. Endpoints of many tenants may lie behind one origin (a relay service), so
 * connections to one are bounded by the pool's caps alone: else one tenant's hanging endpoints would take them all.
 */
@Injectable()
export class DeliveryClient extends EgressClient {
  constructor(guard: EgressGuard) {
    super(guard, { connectionsPerOrigin: MAX_ATTEMPTS });
  }
}
