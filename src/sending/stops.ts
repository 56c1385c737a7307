import type { MessageError } from '../messages/message-event.js';
import type { ErrorClass } from '../network/network-codes.js';

/** A message that failed, in an answer or in a report, for a reason that may stop more than itself. */
export interface MetStop {
  readonly accountId: string;
  readonly messageId: string;
  readonly businessPhoneId: string;
  /** Null for a single message. */
  readonly campaignId: string | null;
  readonly error: MessageError;
  /** What the network meant by it: its code alone does not say. */
  readonly errorClass: ErrorClass;
}

/** Ends running campaigns for what the network said about messages; the campaigns room implements it. */
export abstract class Stops {
  /**
   * Called with failures, and works in the background: what a process that dies here leaves running, the next answer or
   * report of the kind stops. Never throws.
   */
  abstract stop(met: readonly MetStop[]): void;
}
