import { DomainError } from '../../errors/domain-error.js';

/** Seconds after which a rejected client may retry. */
const RETRY_AFTER_SECONDS = 10;

/**
 * Limits how many imports run at the same time, with at most one per account. Accounts take turns: after an import, its
 * account goes to the back of the queue, however many uploads it has waiting.
 */
export class ImportSlots {
  private readonly running = new Set<string>();
  /** Waiting uploads by account, in order of arrival; the account whose turn is next comes first. */
  private readonly waiting = new Map<string, Set<() => void>>();

  /**
   * @param size how many imports run at the same time
   * @param timeoutMs how long an upload waits for a slot, milliseconds
   */
  constructor(
    private readonly size: number,
    private readonly timeoutMs: number,
  ) {}

  /**
   * Runs `work` as soon as a slot is free.
   *
   * @param signal aborted when the client disconnects, which ends the wait
   * @throws DomainError `unavailable` when no slot became free in time; `work` has not run then
   */
  async run<T>(accountId: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.waitForSlot(accountId, signal);
    try {
      return await work();
    } finally {
      this.running.delete(accountId);
      const others = this.waiting.get(accountId);
      this.waiting.delete(accountId);
      if (others !== undefined) this.waiting.set(accountId, others);
      this.startNext();
    }
  }

  private waitForSlot(accountId: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
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
      const timer = setTimeout(leave, this.timeoutMs);
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave);
      const own = this.waiting.get(accountId) ?? new Set();
      this.waiting.set(accountId, own.add(start));
      this.startNext();
    });
  }

  private startNext(): void {
    for (const [accountId, [start]] of this.waiting) {
      if (this.running.size >= this.size) return;
      if (start === undefined || this.running.has(accountId)) continue;
      this.running.add(accountId);
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
  new DomainError('unavailable', 'other imports are running and this one could not start in time; try again shortly', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  });
