import type { RecordId } from '../values/record-id.js';

/** Who knows whom a stored answer must not show any more; the room of contacts implements it. */
export abstract class AnswerRedaction {
  /** The body of a stored answer, as JSON, as it may be shown now. */
  abstract redact(accountId: RecordId, body: string): Promise<string>;
}
