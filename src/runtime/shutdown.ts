interface Phase {
  /** Milliseconds that it may take. */
  readonly maxMs: number;
  /** Milliseconds after the signal at which it has to be over even so. */
  readonly endsAfterMs: number;
}

/** What a process that is stopping does: answers requests, then finishes its work, then closes its connections. */
const PHASES = {
  requests: { maxMs: 15_000, endsAfterMs: 20_000 },
  work: { maxMs: 20_000, endsAfterMs: 25_000 },
  connections: { maxMs: 3000, endsAfterMs: 28_000 },
  all: { maxMs: 28_000, endsAfterMs: 28_000 },
} as const satisfies Record<string, Phase>;

export type ShutdownPhase = keyof typeof PHASES;

/** A process that has not ended this many milliseconds after the signal is ended. */
export const PROCESS_ENDS_AFTER_MS = 29_000;

/** Knows whether this process is stopping, and how much time is left for what. */
export class Shutdown {
  private begunAt: number | null = null;

  get begun(): boolean {
    return this.begunAt !== null;
  }

  /** Starts the clock; only the first call counts. */
  begin(): void {
    this.begunAt ??= performance.now();
  }

  /** Milliseconds that `phase` may take from now on; never negative. */
  remaining(phase: ShutdownPhase): number {
    const elapsed = this.begunAt === null ? 0 : performance.now() - this.begunAt;
    const { maxMs, endsAfterMs } = PHASES[phase];
    return Math.max(0, Math.min(maxMs, endsAfterMs - elapsed));
  }
}

/**
 * Waits for `work`, but no longer than `patienceMs`. A failure of `work` counts as its end and is passed on; one that
 * comes too late is ignored.
 *
 * @returns whether `work` came to its end
 */
export async function endsWithin(work: Promise<unknown>, patienceMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs);
  });
  work.catch(() => undefined);
  try {
    return await Promise.race([work.then(() => true), patience]);
  } finally {
    clearTimeout(timer);
  }
}
