/** How long the guard holds, milliseconds. */
const HOLDS_MS = 1000;
/** A hand that has moved so far has seen what is there now, CSS pixels. */
const MOVED = 8;

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Keeps the second press on a button from what the first one has put in its place: nobody has seen that yet who presses
 * again within a second, unless they have moved the pointer meanwhile.
 */
export class SecondPress {
  private wentOnAt = Number.NEGATIVE_INFINITY;
  private pointer: Point | null = null;
  /** Where the pointer was then. */
  private from: Point | null = null;

  /** @param now a time in milliseconds */
  wentOn(now: number): void {
    this.wentOnAt = now;
    this.from = this.pointer;
  }

  /** Notes where the pointer is. */
  pointsAt({ x, y }: Point): void {
    this.pointer = { x, y };
    this.from ??= this.pointer;
    if (Math.hypot(x - this.from.x, y - this.from.y) > MOVED) this.wentOnAt = Number.NEGATIVE_INFINITY;
  }

  isMeantForBefore(now: number): boolean {
    return now - this.wentOnAt < HOLDS_MS;
  }
}
