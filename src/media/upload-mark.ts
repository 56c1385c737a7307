import type { RecordId } from '../values/record-id.js';
import type { CopyIds } from './network-copies.js';

/** Stands in a request for the network's id of a file, which depends on the phone and changes. */
export const uploadMark = (fileId: RecordId): string => `upload:${fileId}`;

/**
 * Puts the network's ids in place of the marks. Only a mark that is a whole `id` is one: the quotes of a text are escaped
 * in JSON, so nothing that a customer writes can look like it.
 *
 * @param body a request to the network as JSON
 */
export function withCopyIds(body: string, ids: CopyIds): string {
  let filled = body;
  for (const [fileId, networkMediaId] of ids) {
    filled = filled.replaceAll(`"id":"${uploadMark(fileId)}"`, () => `"id":${JSON.stringify(networkMediaId)}`);
  }
  return filled;
}
