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

/** Limits how many requests of a costly kind are open at once, such as those that hold a socket and a file each. */
export class OpenRequests {
  private readonly byAccount = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: OpenRequestLimits) {}

  /**
   * Opens a request.
   *
   * @returns closes it; to be called once
   * @throws DomainError `unavailable` when too many are open
   */
  open(accountId: string): () => void {
    const { maxPerAccount, max, of } = this.limits;
    const open = this.byAccount.get(accountId) ?? 0;
    if (open >= maxPerAccount) throw this.tooMany(`${open} ${of} of the account are open, the maximum`);
    if (this.total >= max) throw this.tooMany(`too many ${of} are open`);
    this.byAccount.set(accountId, open + 1);
    this.total += 1;
    return () => this.close(accountId);
  }

  private close(accountId: string): void {
    const left = (this.byAccount.get(accountId) ?? 0) - 1;
    if (left > 0) this.byAccount.set(accountId, left);
    else this.byAccount.delete(accountId);
    this.total -= 1;
  }

  private tooMany(reason: string): DomainError {
    return new DomainError('unavailable', `${reason}; ${this.limits.consequence}, try again shortly`, {
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    });
  }
}
