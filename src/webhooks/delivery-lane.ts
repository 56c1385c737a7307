import { ENDPOINT_WINDOW, TENANT_WINDOW } from './delivery-pool-bounds.js';
import { DeliveryWindow } from './delivery-window.js';

/** A tenant that has attempts under way, or lanes that wait for room. */
export class TenantLanes {
  readonly window = new DeliveryWindow(TENANT_WINDOW);
  /** Lanes that could go on but for the tenant's window, in the order in which they came. */
  readonly parked = new Set<DeliveryLane>();
  lanes = 0;

  constructor(readonly accountId: string) {}
}

/** One endpoint that this process is delivering to. */
export class DeliveryLane {
  readonly window = new DeliveryWindow(ENDPOINT_WINDOW);
  /** Whether the table may hold due deliveries for it. */
  hungry = false;
  claiming = false;

  constructor(
    readonly tenant: TenantLanes,
    readonly endpointId: string,
  ) {}

  get accountId(): string {
    return this.tenant.accountId;
  }

  /** Whether nothing is under way and nothing is known to wait. */
  get finished(): boolean {
    return !this.hungry && !this.claiming && this.window.idle;
  }
}
