import type { Metrics } from '../runtime/metrics.js';
import type { ErrorClass } from './network-codes.js';
import { NetworkRefusal, NetworkUnreachable } from './network-error.js';

/** What sent a message: a request of its own, or a campaign. */
export type SendOrigin = 'single' | 'campaign';

type SendOutcome = 'accepted' | 'unknown' | 'unreachable' | `refused_${ErrorClass}`;

/** All outcomes start at 0, so that the first refusal already shows as an increase. */
const NONE: Readonly<Record<SendOutcome, number>> = {
  accepted: 0,
  unknown: 0,
  unreachable: 0,
  refused_retry: 0,
  refused_stop_phone: 0,
  refused_stop_template: 0,
  refused_stop_category: 0,
  refused_request: 0,
  refused_contact: 0,
  refused_unknown: 0,
};

/** Counts this process's attempts to send, by origin and outcome. */
export class SendOutcomes {
  private readonly counts: Readonly<Record<SendOrigin, Record<SendOutcome, number>>> = {
    single: { ...NONE },
    campaign: { ...NONE },
  };

  constructor(metrics: Metrics) {
    const sends = {
      name: 'parley_sends_total',
      help: 'Attempts to send a message to the network, by outcome',
      labels: ['origin', 'outcome'],
    };
    metrics.total(sends, () =>
      Object.entries(this.counts).flatMap(([origin, outcomes]) =>
        Object.entries(outcomes).map(([outcome, value]) => ({ labels: { origin, outcome }, value })),
      ),
    );
  }

  accepted(origin: SendOrigin): void {
    this.counts[origin].accepted += 1;
  }

  /** @param error what the send threw */
  failed(origin: SendOrigin, error: unknown): void {
    this.counts[origin][outcomeOf(error)] += 1;
  }
}

function outcomeOf(error: unknown): SendOutcome {
  if (error instanceof NetworkRefusal) return `refused_${error.errorClass}`;
  return error instanceof NetworkUnreachable ? 'unreachable' : 'unknown';
}
