import type { Database } from '../../database/unit-of-work.js';
import type { RecordId } from '../../values/record-id.js';
import type { StoredLook } from '../sent-parts.js';

/** A message of a campaign, and the contact that it was sent to, also if that was merged into another one since. */
export interface CampaignMessage {
  readonly id: RecordId;
  readonly campaignId: RecordId;
  readonly contactId: RecordId;
  readonly createdAt: Date;
}

/** Knows how the messages of campaigns look; the campaigns module implements it. Nothing of it is stored with them. */
export abstract class CampaignLooks {
  /** What their recipients saw around the body, by message id; those that nobody can tell any more are missing. */
  abstract of(
    accountId: string,
    messages: readonly CampaignMessage[],
    db: Database,
  ): Promise<ReadonlyMap<RecordId, StoredLook>>;
}
