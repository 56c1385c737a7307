import { DomainError } from '../errors/domain-error.js';

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_SECONDS = 10;

/** How many requests of a costly kind may be open at once in this process, and what a refusal says. */
export interface OpenRequestLimits {
  readonly maxPerAccount: number;
  /** The maximum over all accounts. */
  readonly max: number;
  /** What is limited, in the plural: `uploads`. */
  readonly of: string;
  /** What a refused request has not done: `nothing was imported`. */
  readonly consequence: string;
}

/** One of the open requests. */
export class OpenRequest {
  private readonly controller = new AbortController();
  /** When bytes last arrived for it, by `performance.now()`; null: it no longer gives way. */
  private heardAt: number | null = performance.now();

  /** @param close frees its place; may be called again */
  constructor(
    readonly accountId: string,
    readonly close: () => void,
  ) {}

  /** Aborted when the request must give way; the reason is its answer. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** When bytes last arrived; null when it no longer depends on others, or has given way. */
  get silentSince(): number | null {
    return this.signal.aborted ? null : this.heardAt;
  }

  /** Notes that bytes have arrived. */
  heard(): void {
    if (this.heardAt !== null) this.heardAt = performance.now();
  }

  /** From now on the request does not give way: everything that it needs has arrived. */
  keep(): void {
    this.heardAt = null;
  }

  giveWay(reason: DomainError): void {
    this.controller.abort(reason);
    this.close();
  }
}

/**
 * Limits how many requests of a costly kind are open at once, such as those that hold a socket and a file each. Accounts
 * share the places: when all are taken, a request of an account with fewer ends one of an account with more, and of
 * these the one that has been silent longest. So a few accounts whose clients stall cannot keep out the others.
 */
export class OpenRequests {
  private readonly byAccount = new Map<string, Set<OpenRequest>>();
  private total = 0;

  constructor(private readonly limits: OpenRequestLimits) {}

  /**
   * Opens a request. The caller closes it, and ends it when its signal is aborted.
   *
   * @throws DomainError `unavailable` when too many are open
   */
  open(accountId: string): OpenRequest {
    const { maxPerAccount, max, of } = this.limits;
    const own = this.byAccount.get(accountId)?.size ?? 0;
    if (own >= maxPerAccount) throw this.tooMany(`${own} ${of} of the account are open, the maximum`);
    if (this.total >= max) this.makeRoom(own);
    const request = new OpenRequest(accountId, () => this.close(request));
    this.byAccount.set(accountId, (this.byAccount.get(accountId) ?? new Set()).add(request));
    this.total += 1;
    return request;
  }

  /** Ends a request of the account with the most, if it keeps at least as many as the new one then has. */
  private makeRoom(own: number): void {
    const { of } = this.limits;
    const places = ({ accountId }: OpenRequest): number => this.byAccount.get(accountId)?.size ?? 0;
    const [first] = [...this.byAccount.values()]
      .flatMap((requests) => [...requests])
      .filter((request) => request.silentSince !== null && places(request) > own + 1)
      .sort((a, b) => places(b) - places(a) || (a.silentSince ?? 0) - (b.silentSince ?? 0));
    if (first === undefined) throw this.tooMany(`too many ${of} are open`);
    first.giveWay(
      this.tooMany(
        `too many ${of} are open, the account has ${places(first)} of them, and this one was silent longest`,
      ),
    );
  }

  private close(request: OpenRequest): void {
    const requests = this.byAccount.get(request.accountId);
    if (!requests?.delete(request)) return;
    if (requests.size === 0) this.byAccount.delete(request.accountId);
    this.total -= 1;
  }

  private tooMany(reason: string): DomainError {
    return new DomainError('unavailable', `${reason}; ${this.limits.consequence}, try again shortly`, {
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    });
  }
}
