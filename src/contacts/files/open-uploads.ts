import { DomainError } from '../../errors/domain-error.js';

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_SECONDS = 10;

/** Limits how many uploads are open at once, from their first byte until their answer: each holds a socket and a file. */
export class OpenUploads {
  private readonly byAccount = new Map<string, number>();
  private total = 0;

  /**
   * @param maxPerAccount open uploads of one account
   * @param max open uploads of all accounts
   */
  constructor(
    private readonly maxPerAccount: number,
    private readonly max: number,
  ) {}

  /**
   * Opens an upload.
   *
   * @returns closes it; to be called once
   * @throws DomainError `unavailable` when too many are open
   */
  open(accountId: string): () => void {
    const open = this.byAccount.get(accountId) ?? 0;
    if (open >= this.maxPerAccount) throw tooMany(`${open} uploads of the account are open, the maximum`);
    if (this.total >= this.max) throw tooMany('too many uploads are open');
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
}

const tooMany = (reason: string): DomainError =>
  new DomainError('unavailable', `${reason}; nothing was imported, try again shortly`, {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
