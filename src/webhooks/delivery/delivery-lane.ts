import { AttemptLimit, ENDPOINT_LIMIT, TENANT_LIMIT } from './attempt-limit.js';
import { freshSince } from './delivery-range.js';

/** A tenant with attempts in progress or lanes waiting for room. */
export class TenantLanes {
  readonly limit = new AttemptLimit(TENANT_LIMIT);
  /** Lanes held up only by the tenant's limit, longest waiting first. */
  readonly parked = new Set<DeliveryLane>();
  lanes = 0;

  constructor(readonly accountId: string) {}
}

/** The state of one endpoint this process is delivering to. */
export class DeliveryLane {
  readonly limit = new AttemptLimit(ENDPOINT_LIMIT);
  leasing = false;
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
   * Marks the next lease as started. Deliveries that become due meanwhile mark the lane due again.
   *
   * @returns the lowest delivery id to look at
   */
  startLease(): string {
    const since = this.dueSince ?? freshSince();
    this.dueSince = null;
    this.leasing = true;
    return since;
  }

  /** Whether nothing is in progress and nothing is known to be due. */
  get finished(): boolean {
    return !this.mayHaveDue && !this.leasing && this.limit.idle;
  }
}

const lowest = (one: string, other: string): string => (one < other ? one : other);
