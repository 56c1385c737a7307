import type { RecordId } from '../values/record-id.js';

/** Redacts erased people from stored answers. The contacts room implements it. */
export abstract class AnswerRedaction {
  /**
   * Returns a stored body (JSON) with erased people redacted.
   *
   * @throws UnreadableSecret when the body names somebody, and nobody can tell whether they are being erased
   */
  abstract redact(accountId: RecordId, body: string): Promise<string>;
}
