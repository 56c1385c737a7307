interface Phase {
  /** Milliseconds that the phase may take. */
  readonly maxMs: number;
  /** Milliseconds after the signal by which it must be over in any case. */
  readonly endsAfterMs: number;
}

/** A stopping process finishes its requests, then its background work, then closes its connections. */
const PHASES = {
  requests: { maxMs: 15_000, endsAfterMs: 20_000 },
  work: { maxMs: 20_000, endsAfterMs: 25_000 },
  connections: { maxMs: 3000, endsAfterMs: 28_000 },
  all: { maxMs: 28_000, endsAfterMs: 28_000 },
} as const satisfies Record<string, Phase>;

export type ShutdownPhase = keyof typeof PHASES;

/** A process that is still running this many milliseconds after the signal exits anyway. */
export const PROCESS_ENDS_AFTER_MS = 29_000;

/** Knows whether this process is shutting down, and how much time each phase has left. */
export class Shutdown {
  private begunAt: number | null = null;
  private readonly controller = new AbortController();

  /** Aborted when this process begins to shut down. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get isStopping(): boolean {
    return this.begunAt !== null;
  }

  /** Starts the clock; only the first call counts. */
  begin(): void {
    this.begunAt ??= performance.now();
    this.controller.abort();
  }

  /** Milliseconds left for `phase`; never negative. */
  remaining(phase: ShutdownPhase): number {
    const elapsed = this.begunAt === null ? 0 : performance.now() - this.begunAt;
    const { maxMs, endsAfterMs } = PHASES[phase];
    return Math.max(0, Math.min(maxMs, endsAfterMs - elapsed));
  }
}
