interface Waiting {
  readonly messages: number;
  readonly enter: () => void;
}

/**
 * Bounds how many campaign messages a process has in flight, from claim until their outcome is stored. Waiting accounts
 * take turns, and none may have more in flight than is still free. So there is always room for another account, however
 * slowly the network answers one account and however many phones it has.
 */
export class InFlightRoom {
  private used = 0;
  private readonly usedBy = new Map<string, number>();
  /** The account that was admitted longest ago comes first. */
  private readonly waiting = new Map<string, Waiting[]>();

  /** @param capacity maximum messages in flight */
  constructor(private readonly capacity: number) {}

  /** Messages in flight. */
  get size(): number {
    return this.used;
  }

  /** Waits until there is room for this many messages of the account, and takes it. */
  enter(accountId: string, messages: number): Promise<void> {
    return new Promise((resolve) => {
      const queue = this.waiting.get(accountId);
      const waiting = { messages, enter: resolve };
      if (queue === undefined) this.waiting.set(accountId, [waiting]);
      else queue.push(waiting);
      this.admitWaiting();
    });
  }

  /** Gives room back. */
  leave(accountId: string, messages: number): void {
    if (messages === 0) return;
    this.used -= messages;
    const left = (this.usedBy.get(accountId) ?? 0) - messages;
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
        if (!this.hasRoom(accountId, next.messages)) {
          // Keep free room for an account with nothing in flight, even if smaller groups of others would fit.
          if (!this.usedBy.has(accountId)) return;
          continue;
        }
        queue.shift();
        this.waiting.delete(accountId);
        if (queue.length > 0) this.waiting.set(accountId, queue);
        this.take(accountId, next.messages);
        next.enter();
        entered = true;
      }
    }
  }

  /** An account with nothing in flight may take all that is free; others must leave as much free as they will have. */
  private hasRoom(accountId: string, messages: number): boolean {
    const free = this.capacity - this.used;
    const own = this.usedBy.get(accountId) ?? 0;
    return own === 0 ? messages <= free : own + messages <= free - messages;
  }

  private take(accountId: string, messages: number): void {
    this.used += messages;
    this.usedBy.set(accountId, (this.usedBy.get(accountId) ?? 0) + messages);
  }
}
