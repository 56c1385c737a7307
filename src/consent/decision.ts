/** Who made a decision: the contact, the network on the contact's behalf, or the account. */
export type DecidedBy = 'person' | 'network' | 'account';

/**
 * What proves a decision: a message (by our id), a callback or API request (by request id), a line of an imported file
 * (`<request id>:<line>`), or a merge (by the id of the contact that was merged, or whose opt-out was taken over).
 */
export interface Evidence {
  readonly kind: EvidenceKind;
  readonly id: string;
}
export const EVIDENCE_KINDS = ['message', 'callback', 'request', 'import', 'merge'] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** A decision about marketing messages. */
export interface Decision {
  readonly optedIn: boolean;
  readonly by: DecidedBy;
  /** When it was made; null: now. Counts in whole seconds, as the network's times do. */
  readonly at: Date | null;
  readonly evidence: Evidence | null;
  /**
   * Whether an account's opt-in may lift an opt-out by the person or the network: only a call about one contact may,
   * which says so.
   */
  readonly lifts?: boolean;
}

/** What a decision did to the one in force; `consent_verdict` in the database decides it. */
export type Verdict = 'taken' | 'repeated' | 'late' | 'refused';
