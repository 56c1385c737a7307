/** Connection failures in a row that open the circuit. */
const FAILURES_TO_OPEN = 5;
/** How long it stays open before one caller may try again, milliseconds. */
const OPEN_MS = 1000;

/** Keeps callers from queueing up on a network that cannot be connected to. */
export class CircuitBreaker {
  private failures = 0;
  private openUntil = 0;

  /** Whether a call may be tried; while the circuit is open, one call per second is. */
  allows(at = performance.now()): boolean {
    if (this.failures < FAILURES_TO_OPEN) return true;
    if (at < this.openUntil) return false;
    this.openUntil = at + OPEN_MS;
    return true;
  }

  /** The network was reached, whatever it said. */
  reached(): void {
    this.failures = 0;
  }

  /** No connection could be made. */
  missed(at = performance.now()): void {
    this.failures += 1;
    if (this.failures >= FAILURES_TO_OPEN) this.openUntil = at + OPEN_MS;
  }
}
