import { setTimeout as sleep } from 'node:timers/promises';
import { GraphError } from '../graph-error.js';
import { isObject } from '../json-object.js';

const KINDS = ['refused', 'unavailable', 'slow'] as const;

/** The setting `upload_fault`: what goes wrong, and with which share of the uploads. */
export interface UploadFault {
  kind: (typeof KINDS)[number];
  rate?: number;
  /** How long a `slow` upload takes; 1000 unless set. */
  delay_ms?: number;
}

export const UPLOAD_FAULT = `null or {kind, rate?, delay_ms?}, with a kind of ${KINDS.join(', ')} and a rate from 0 to 1`;

/** Whether a value is a setting for `upload_fault`. */
export function isUploadFault(value: unknown): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  const { kind, rate = 1, delay_ms: delay = 1000, ...others } = value;
  if (Object.keys(others).length > 0 || !KINDS.includes(kind as UploadFault['kind'])) return false;
  return typeof rate === 'number' && rate >= 0 && rate <= 1 && Number.isInteger(delay) && (delay as number) >= 0;
}

/** What happens to an upload before its answer. */
export async function suffer({ kind, delay_ms = 1000 }: UploadFault): Promise<void> {
  if (kind === 'refused') throw new GraphError(131053, 'Unable to upload the media');
  if (kind === 'unavailable') throw new GraphError(2, 'Service temporarily unavailable');
  await sleep(delay_ms, undefined, { ref: false });
}
