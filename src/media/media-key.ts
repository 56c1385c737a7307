import { isRecordId, type RecordId, timeOfRecordId } from '../values/record-id.js';
import type { MediaKey } from './media-store.js';

/** Which file of the store belongs to which message. An uploaded file has an id of its own in place of the message's. */
export interface FileOwner {
  readonly accountId: RecordId;
  readonly messageId: RecordId;
}

/** Where the file of a message is kept: by account and day, so that no folder grows without end. */
export const mediaKey = ({ accountId, messageId }: FileOwner): MediaKey =>
  `${accountId}/${timeOfRecordId(messageId).toISOString().slice(0, 10)}/${messageId}`;

/** Whose file it is; null when it is nobody's. */
export function ownerOf(key: MediaKey): FileOwner | null {
  const [accountId = '', , messageId] = key.split('/');
  return isRecordId(messageId) && mediaKey({ accountId, messageId }) === key ? { accountId, messageId } : null;
}
