import { freshSince } from '../log/delivery-range.js';
import { ENDPOINT_WINDOW, TENANT_WINDOW } from './delivery-pool-bounds.js';
import { DeliveryWindow } from './delivery-window.js';

/** A tenant with attempts in progress or lanes waiting for room. */
export class TenantLanes {
  readonly window = new DeliveryWindow(TENANT_WINDOW);
  /** Lanes held up only by the tenant's window, longest waiting first. */
  readonly parked = new Set<DeliveryLane>();
  lanes = 0;

  constructor(readonly accountId: string) {}
}

/** The state of one endpoint this process is delivering to. */
export class DeliveryLane {
  readonly window = new DeliveryWindow(ENDPOINT_WINDOW);
  claiming = false;
  /** Lower bound for the ids of deliveries that may be due; null when none is known to be due. */
  private dueSince: string | null = null;

  constructor(
    readonly tenant: TenantLanes,
    readonly endpointId: string,
  ) {}

  get accountId(): string {
    return this.tenant.accountId;
  }

  /** Whether the table may have due deliveries for this endpoint. */
  get mayHaveDue(): boolean {
    return this.dueSince !== null;
  }

  /** Notes that deliveries may be due: fresh ones, and older ones from the id `since` on. */
  markDue(since = freshSince()): void {
    this.dueSince = lowest(this.dueSince ?? freshSince(), since);
  }

  /**
   * Marks a claim as started. Deliveries that become due meanwhile mark the lane due again.
   *
   * @returns the lowest delivery id to look at
   */
  startClaim(): string {
    const since = this.dueSince ?? freshSince();
    this.dueSince = null;
    this.claiming = true;
    return since;
  }

  /** Whether nothing is in progress and nothing is known to be due. */
  get finished(): boolean {
    return !this.mayHaveDue && !this.claiming && this.window.idle;
  }
}

const lowest = (one: string, other: string): string => (one < other ? one : other);
