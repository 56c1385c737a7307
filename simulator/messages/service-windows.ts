import { DAY } from '../../src/values/clock.js';
import { AppendLog } from '../control/append-log.js';
import { asciiJson } from '../json-object.js';

const keyOf = (phoneNumberId: string, userId: string): string => `${phoneNumberId}:${userId}`;

/** Service windows: 24 h from the latest inbound message, for each pair of business phone and customer. */
export class ServiceWindows {
  private readonly latest = new Map<string, number>();
  private log: AppendLog;

  /** Loads the windows from the file and passes the user id of each customer to `restored`. */
  static open(path: string, restored: (userId: string) => void): ServiceWindows {
    const windows = new ServiceWindows();
    windows.log = AppendLog.open(path, (line) => {
      const [phoneNumberId, userId, at] = JSON.parse(line) as [string, string, number];
      windows.latest.set(keyOf(phoneNumberId, userId), at);
      restored(userId);
    });
    return windows;
  }

  /** Records an inbound message sent at `at` (ms). A future time counts as now; older messages change nothing. */
  async extend(phoneNumberId: string, userId: string, at: number): Promise<void> {
    const key = keyOf(phoneNumberId, userId);
    const time = Math.min(at, Date.now());
    if ((this.latest.get(key) ?? 0) >= time) return;
    this.latest.set(key, time);
    await this.log.append(asciiJson([phoneNumberId, userId, time]));
  }

  isOpen(phoneNumberId: string, userId: string): boolean {
    return Date.now() - (this.latest.get(keyOf(phoneNumberId, userId)) ?? 0) < DAY;
  }

  reset(): void {
    this.latest.clear();
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }
}
