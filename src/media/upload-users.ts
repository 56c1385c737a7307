import type { Database } from '../database/unit-of-work.js';
import type { RecordId } from '../values/record-id.js';

/** Knows which uploaded files campaigns still use; the campaigns room implements it. */
export abstract class UploadUsers {
  /** Those of some files that a campaign which has not ended uses. */
  abstract used(accountId: string, fileIds: readonly RecordId[], db: Database): Promise<ReadonlySet<RecordId>>;
}
