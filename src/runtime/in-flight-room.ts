interface Waiting {
  readonly amount: number;
  readonly enter: () => void;
}

/**
 * Bounds what a process has in flight, such as campaign messages from claim until their outcome is stored, or files that
 * are being fetched. Waiting accounts take turns, and none may have more in flight than is still free. So there is always
 * room for another account, however slowly the network answers one account and however many phones it has.
 */
export class InFlightRoom {
  private used = 0;
  private readonly usedBy = new Map<string, number>();
  /** The account that was admitted longest ago comes first. */
  private readonly waiting = new Map<string, Waiting[]>();

  /** @param capacity the most that may be in flight */
  constructor(private readonly capacity: number) {}

  /** What is in flight. */
  get size(): number {
    return this.used;
  }

  /** Waits until there is room for this much of the account, and takes it. */
  enter(accountId: string, amount: number): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.waiting.get(accountId);
      const waiting = { amount, enter: resolve };
      if (queue === undefined) this.waiting.set(accountId, [waiting]);
      else queue.push(waiting);
      this.admitWaiting();
    });
  }

  /** Gives room back. */
  leave(accountId: string, amount: number): void {
    if (amount === 0) return;
    this.used -= amount;
    const left = (this.usedBy.get(accountId) ?? 0) - amount;
    if (left > 0) this.usedBy.set(accountId, left);
    else this.usedBy.delete(accountId);
    this.admitWaiting();
  }

  private admitWaiting(): void {
    let entered = true;
    while (entered && this.waiting.size > 0) {
      entered = false;
      for (const [accountId, queue] of [...this.waiting]) {
        const [next] = queue;
        if (next === undefined) continue;
        if (!this.hasRoom(accountId, next.amount)) {
          // Keep free room for an account with nothing in flight, even if smaller groups of others would fit.
          if (!this.usedBy.has(accountId)) return;
          continue;
        }
        queue.shift();
        this.waiting.delete(accountId);
        if (queue.length > 0) this.waiting.set(accountId, queue);
        this.take(accountId, next.amount);
        next.enter();
        entered = true;
      }
    }
  }

  /** An account with nothing in flight may take all that is free; others must leave as much free as they will have. */
  private hasRoom(accountId: string, amount: number): boolean {
    const free = this.capacity - this.used;
    const own = this.usedBy.get(accountId) ?? 0;
    return own === 0 ? amount <= free : own + amount <= free - amount;
  }

  private take(accountId: string, amount: number): void {
    this.used += amount;
    this.usedBy.set(accountId, (this.usedBy.get(accountId) ?? 0) + amount);
  }
}
