/** Whether a request was within its limit. */
export interface WindowAnswer {
  readonly allowed: boolean;
  /** Requests accepted in the window, this one included if it was. */
  readonly used: number;
  /** Milliseconds until the oldest of them leaves the window. */
  readonly resetMs: number;
}

/**
 * Counts accepted requests per subject in a sliding window, exactly and across processes. No window of `spanMs` ever
 * contains more than `limit` accepted requests.
 */
export abstract class RequestWindows {
  /**
   * @param subject whose requests are counted, e.g. `key:<family>`
   * @param limit requests per window
   * @param spanMs length of the window, milliseconds
   */
  abstract take(subject: string, limit: number, spanMs: number): Promise<WindowAnswer>;
}
