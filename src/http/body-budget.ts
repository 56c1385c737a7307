import { DomainError } from '../errors/domain-error.js';

/** Seconds after which a refused client may try again. Bodies arrive quickly unless a client stalls. */
const RETRY_AFTER_SECONDS = 5;

/** Limits the total memory of certain request bodies, from their first byte until their answer. */
export class BodyBudget {
  private used = 0;

  /** @param max bytes */
  constructor(private readonly max: number) {}

  /** Opens the share of one request, empty at first. The caller must release it. */
  open(): BodyShare {
    let size = 0;
    return {
      expect: (announced) => this.refuseBeyond(announced),
      resize: (bytes) => {
        this.refuseBeyond(bytes - size);
        this.used += bytes - size;
        size = bytes;
      },
      release: () => {
        this.used -= size;
        size = 0;
      },
    };
  }

  private refuseBeyond(more: number): void {
    if (this.used + more <= this.max) return;
    throw new DomainError('unavailable', 'too many request bodies are being read; try again shortly', {
      headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    });
  }
}

/** One request's share of a {@link BodyBudget}. Only bytes in memory count, not bytes a client announces. */
export interface BodyShare {
  /** @throws DomainError `unavailable` when a body of `announced` bytes would not fit now */
  expect(announced: number): void;
  /** @throws DomainError `unavailable` when growing the share to `bytes` would exceed the budget */
  resize(bytes: number): void;
  release(): void;
}
