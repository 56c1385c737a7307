import { freshSince } from '../log/delivery-range.js';
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
  claiming = false;
  /** No delivery that may be due has a lower id; null while none is known to be. */
  private dueSince: string | null = null;

  constructor(
    readonly tenant: TenantLanes,
    readonly endpointId: string,
  ) {}

  get accountId(): string {
    return this.tenant.accountId;
  }

  /** Whether the table may hold due deliveries for it. */
  get mayHaveDue(): boolean {
    return this.dueSince !== null;
  }

  /** Deliveries may be due: fresh ones, and others from the id `since` on. */
  markDue(since = freshSince()): void {
    this.dueSince = lowest(this.dueSince ?? freshSince(), since);
  }

  /**
   * A claim begins; deliveries that become due meanwhile rouse the lane again.
   *
   * @returns the lowest id that it is to look at
   */
  startClaim(): string {
    const since = this.dueSince ?? freshSince();
    this.dueSince = null;
    this.claiming = true;
    return since;
  }

  /** Whether nothing is under way and nothing is known to wait. */
  get finished(): boolean {
    return !this.mayHaveDue && !this.claiming && this.window.idle;
  }
}

const lowest = (one: string, other: string): string => (one < other ? one : other);
