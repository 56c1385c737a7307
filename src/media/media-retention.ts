import type { Retention } from '../config/environment.js';
import { DAY } from '../values/clock.js';

/** What of the files has expired, by the times of their messages. */
export interface FileExpiry {
  /** Files before this are deleted. */
  readonly filesBefore: Date;
  /** Nothing is known any more of files before this, because their messages are deleted; null: all messages are kept. */
  readonly rowsBefore: Date | null;
  /** How many days files are kept. */
  readonly days: number;
}

type Days = Pick<Retention, 'mediaRetentionDays' | 'messageRetentionDays'>;

/** How many days files are kept: never longer than their messages. */
export const fileRetentionDays = ({ mediaRetentionDays, messageRetentionDays }: Days): number =>
  messageRetentionDays === 0 ? mediaRetentionDays : Math.min(mediaRetentionDays, messageRetentionDays);

/** What has expired by now. Messages are deleted a month at a time, so their files are forgotten a month at a time. */
export function expiryOf(retention: Days, now: Date): FileExpiry {
  const days = fileRetentionDays(retention);
  const { messageRetentionDays } = retention;
  const oldest = new Date(now.getTime() - messageRetentionDays * DAY);
  return {
    filesBefore: new Date(now.getTime() - days * DAY),
    rowsBefore: messageRetentionDays === 0 ? null : new Date(Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth())),
    days,
  };
}
