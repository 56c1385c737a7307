import { DomainError } from '../errors/domain-error.js';

/** Seconds after which a refused client may try again: bodies come and go quickly unless somebody dawdles. */
const RETRY_AFTER_SECONDS = 5;

/** Limits the memory that the bodies of certain requests take together, from their first byte until they are answered. */
export class BodyBudget {
  private used = 0;

  /** @param max bytes */
  constructor(private readonly max: number) {}

  /** The part of the budget that one request takes, nothing at first. It must be released whatever happens. */
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

/** One request's part of a {@link BodyBudget}. Only what is in memory counts, not what a client announces. */
export interface BodyShare {
  /** @throws DomainError `unavailable` when a body of so many bytes has no room now */
  expect(announced: number): void;
  /** @throws DomainError `unavailable` when there is no room for so many bytes in place of those held so far */
  resize(bytes: number): void;
  release(): void;
}
