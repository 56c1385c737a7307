import { DAY } from '../values/clock.js';
import { AppendLog } from './append-log.js';
import { asciiJson } from './json-object.js';

const keyOf = (phoneNumberId: string, customer: string): string => `${phoneNumberId}:${customer}`;

/** The customer service windows: 24 h from the latest inbound message, for each pair of business phone and customer. */
export class ServiceWindows {
  private readonly latest = new Map<string, number>();
  private log: AppendLog;

  static open(path: string): ServiceWindows {
    const windows = new ServiceWindows();
    windows.log = AppendLog.open(path, (line) => {
      const [key, at] = JSON.parse(line) as [string, number];
      windows.latest.set(key, at);
    });
    return windows;
  }

  /** Notes an inbound message sent at `at` (ms); a time in the future counts as now, the latest one wins (D55). */
  async extend(phoneNumberId: string, customer: string, at: number): Promise<void> {
    const key = keyOf(phoneNumberId, customer);
    const time = Math.min(at, Date.now());
    if ((this.latest.get(key) ?? 0) >= time) return;
    this.latest.set(key, time);
    await this.log.append(asciiJson([key, time]));
  }

  isOpen(phoneNumberId: string, customer: string): boolean {
    return Date.now() - (this.latest.get(keyOf(phoneNumberId, customer)) ?? 0) < DAY;
  }

  reset(): void {
    this.latest.clear();
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }
}
