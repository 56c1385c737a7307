/** Consecutive connection failures that open the circuit. */
const FAILURES_TO_OPEN = 5;
/** Milliseconds the circuit stays open before one call may try again. */
const OPEN_MS = 1000;

/** Fails calls fast while the network is unreachable. */
export class CircuitBreaker {
  private failures = 0;
  private openUntil = 0;

  /** Whether a call may go ahead. While the circuit is open, one call per second may. */
  allows(at = performance.now()): boolean {
    if (this.failures < FAILURES_TO_OPEN) return true;
    if (at < this.openUntil) return false;
    this.openUntil = at + OPEN_MS;
    return true;
  }

  /** Records that the network answered, whatever the answer. */
  recordReached(): void {
    this.failures = 0;
  }

  /** Records a failed connection. */
  recordUnreachable(at = performance.now()): void {
    this.failures += 1;
    if (this.failures >= FAILURES_TO_OPEN) this.openUntil = at + OPEN_MS;
  }
}
