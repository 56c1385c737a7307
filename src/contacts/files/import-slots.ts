import { DomainError } from '../../errors/domain-error.js';

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Lets a few uploads do their work at once, one of each account, while the others wait their turn. Accounts take turns:
 * one that has just had a slot goes behind all others that wait, however many uploads it has waiting.
 */
export class ImportSlots {
  private readonly atWork = new Set<string>();
  /** Uploads that wait, in the order they came, by account; the account whose turn is next comes first. */
  private readonly waiting = new Map<string, Set<() => void>>();

  /**
   * @param size how many work at once
   * @param patienceMs how long an upload waits, milliseconds
   */
  constructor(
    private readonly size: number,
    private readonly patienceMs: number,
  ) {}

  /**
   * Does the work of one upload when its turn has come.
   *
   * @param gone aborted when its client goes away, after which nobody waits for it
   * @throws DomainError `unavailable` when its turn has not come in time; nothing was done then
   */
  async run<T>(accountId: string, gone: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.turn(accountId, gone);
    try {
      return await work();
    } finally {
      this.atWork.delete(accountId);
      const others = this.waiting.get(accountId);
      this.waiting.delete(accountId);
      if (others !== undefined) this.waiting.set(accountId, others);
      this.admit();
    }
  }

  private turn(accountId: string, gone: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(patience);
        gone.removeEventListener('abort', leave);
        this.remove(accountId, start);
      };
      const start = (): void => {
        settle();
        resolve();
      };
      const leave = (): void => {
        settle();
        reject(noSlot());
      };
      const patience = setTimeout(leave, this.patienceMs);
      if (gone.aborted) return leave();
      gone.addEventListener('abort', leave);
      const own = this.waiting.get(accountId) ?? new Set();
      this.waiting.set(accountId, own.add(start));
      this.admit();
    });
  }

  private admit(): void {
    for (const [accountId, [start]] of this.waiting) {
      if (this.atWork.size >= this.size) return;
      if (start === undefined || this.atWork.has(accountId)) continue;
      this.atWork.add(accountId);
      start();
    }
  }

  private remove(accountId: string, start: () => void): void {
    const own = this.waiting.get(accountId);
    own?.delete(start);
    if (own?.size === 0) this.waiting.delete(accountId);
  }
}

const noSlot = (): DomainError =>
  new DomainError('unavailable', 'other files are being imported and this one got no turn in time; try again shortly', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
