/** What a visible tab tells the one that holds the stream. */
export type TabMessage =
  | { readonly kind: 'shows'; readonly tab: string; readonly topics: readonly string[] }
  | { readonly kind: 'hides'; readonly tab: string };

/** How the stream is. */
export interface StreamState {
  readonly isOpen: boolean;
  /** Another one after a break, in which something may have been missed; null before the first event. */
  readonly streak: string | null;
  /** What the stream carries. */
  readonly topics: readonly string[];
  /** By how much the clock of the service is ahead of the device’s, milliseconds. */
  readonly aheadMs: number;
  /** The version of the console that the service has. */
  readonly version: string | null;
}

/** What the tab that holds the stream tells all. */
export type LeaderMessage =
  /** It has just begun to hold it, and asks what they show. */
  | { readonly kind: 'who' }
  | { readonly kind: 'heard' }
  | { readonly kind: 'state'; readonly state: StreamState }
  | { readonly kind: 'event'; readonly topic: string; readonly data: unknown }
  | { readonly kind: 'signed_out' };
