/** Whether a request was within its limit. */
export interface WindowAnswer {
  readonly allowed: boolean;
  /** Requests accepted in the span, this one included when it was. */
  readonly used: number;
  /** Milliseconds until the oldest of them leaves the span. */
  readonly resetMs: number;
}

/**
 * Counts accepted requests per subject in a sliding span, exactly and across processes: at most `limit` are accepted in
 * any span of that length.
 */
export abstract class RequestWindows {
  /**
   * @param subject whose requests are counted, e.g. `key:<id>`
   * @param limit requests in the span
   * @param spanMs milliseconds
   */
  abstract take(subject: string, limit: number, spanMs: number): Promise<WindowAnswer>;
}
