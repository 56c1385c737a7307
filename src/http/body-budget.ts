import { DomainError } from '../errors/domain-error.js';

/** Seconds after which a refused client may try again. Bodies arrive quickly unless a client stalls. */
const RETRY_AFTER_SECONDS = 5;

/** One request's place in a {@link BodyBudget}. */
interface Held {
  /** Bytes. */
  size: number;
}

/**
 * Limits the total memory of certain request bodies, from their first byte until their answer. Room goes to those who
 * send: when it runs out, the bodies that have been silent longest are dropped.
 */
export class BodyBudget {
  private used = 0;
  /** What drops each body that has fallen silent, in the order in which they did. */
  private readonly silent = new Map<Held, () => void>();

  /** @param max bytes */
  constructor(private readonly max: number) {}

  /** Opens the share of one request, empty at first. The caller must release it. */
  open(): BodyShare {
    const held: Held = { size: 0 };
    return {
      expect: (announced) => this.refuseBeyond(announced),
      resize: (bytes) => {
        this.makeRoom(bytes - held.size);
        this.used += bytes - held.size;
        held.size = bytes;
      },
      fallSilent: (drop) => void this.silent.set(held, drop),
      speak: () => void this.silent.delete(held),
      release: () => this.release(held),
    };
  }

  private makeRoom(more: number): void {
    this.refuseBeyond(more);
    for (const [held, drop] of this.silent) {
      if (this.used + more <= this.max) return;
      this.release(held);
      drop();
    }
  }

  private refuseBeyond(more: number): void {
    let droppable = 0;
    if (this.used + more > this.max) for (const { size } of this.silent.keys()) droppable += size;
    if (this.used + more - droppable <= this.max) return;
    throw new DomainError('unavailable', 'too many request bodies are being read; try again shortly', {
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    });
  }

  private release(held: Held): void {
    this.silent.delete(held);
    this.used -= held.size;
    held.size = 0;
  }
}

/** Closes the connection with the answer, because the client may go on sending. */
export const droppedBody = (): DomainError =>
  new DomainError('unavailable', 'the request body stopped arriving while others needed its memory; send it again', {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS), connection: 'close' },
  });

/** One request's share of a {@link BodyBudget}. Only bytes in memory count, not bytes a client announces. */
export interface BodyShare {
  /** @throws DomainError `unavailable` when a body of `announced` bytes would not fit now */
  expect(announced: number): void;
  /** @throws DomainError `unavailable` when growing the share to `bytes` would exceed the budget */
  resize(bytes: number): void;
  /** No more of the body has come for a while: `drop` is called when another one needs its room, which is then free. */
  fallSilent(drop: () => void): void;
  /** More of the body has come, or all of it. */
  speak(): void;
  release(): void;
}
