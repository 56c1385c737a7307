/** What a test has opened in this process and not closed: what it is, and how to end it. */
interface Open {
  readonly what: string;
  readonly end: () => Promise<void>;
}

/** test/leftovers.mjs reads it when the tests of a file have ended. */
const OPEN = Symbol.for('parley.left-open');
const shared = globalThis as { [OPEN]?: Map<object, Open> };

/** Notes what a test must close. A file that does not fails with its name, and then it is ended. */
export function opened(key: object, what: string, end: () => Promise<void>): void {
  shared[OPEN] ??= new Map();
  shared[OPEN].set(key, { what, end });
}

/** Notes that it is closed, or is being closed. */
export function closed(key: object): void {
  shared[OPEN]?.delete(key);
}
