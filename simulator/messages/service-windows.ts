import { DAY } from '../../src/values/clock.js';
import { AppendLog } from '../control/append-log.js';
import { asciiJson } from '../json-object.js';

/** How long everything is free after the answer to a click on an ad. */
const ENTRY_POINT = 3 * DAY;

const keyOf = (phoneNumberId: string, userId: string): string => `${phoneNumberId}:${userId}`;

/** What a line of the file dates: an inbound message, a click on an ad, or the answer to it. */
type Moment = 'message' | 'click' | 'answer';
type Line = [phoneNumberId: string, userId: string, at: number, moment?: Moment];

/**
 * Service windows: 24 h from the latest inbound message, for each pair of business phone and customer. And free entry
 * points: 72 h from the answer to a click on an ad, if it is answered within 24 h.
 */
export class ServiceWindows {
  private readonly latest: Record<Moment, Map<string, number>> = {
    message: new Map(),
    click: new Map(),
    answer: new Map(),
  };
  private log: AppendLog;

  /** Loads the windows from the file and passes the user id and the business phone of each to `restored`. */
  static open(path: string, restored: (userId: string, phoneNumberId: string) => void): ServiceWindows {
    const windows = new ServiceWindows();
    windows.log = AppendLog.open(path, (line) => {
      const [phoneNumberId, userId, at, moment = 'message'] = JSON.parse(line) as Line;
      windows.latest[moment].set(keyOf(phoneNumberId, userId), at);
      if (moment === 'message') restored(userId, phoneNumberId);
    });
    return windows;
  }

  /** Records an inbound message sent at `at` (ms). A future time counts as now; older messages change nothing. */
  async extend(phoneNumberId: string, userId: string, at: number): Promise<void> {
    await this.keep('message', phoneNumberId, userId, at);
  }

  /** Records that a message written at `at` (ms) came from an ad. */
  async click(phoneNumberId: string, userId: string, at: number): Promise<void> {
    await this.keep('click', phoneNumberId, userId, at);
  }

  /** Gives the windows of one user id to another, when a person's changes. */
  async carryOver(phoneNumberId: string, userId: string, successor: string): Promise<void> {
    for (const moment of ['message', 'click', 'answer'] as const) {
      const at = this.latest[moment].get(keyOf(phoneNumberId, userId));
      if (at !== undefined) await this.keep(moment, phoneNumberId, successor, at);
    }
  }

  isOpen(phoneNumberId: string, userId: string): boolean {
    return Date.now() - (this.latest.message.get(keyOf(phoneNumberId, userId)) ?? 0) < DAY;
  }

  /** Whether a message sent now is free because of an ad. The first answer to a click opens the entry point. */
  async isEntryPoint(phoneNumberId: string, userId: string): Promise<boolean> {
    const { click, answer } = this.latest;
    if (click.size === 0) return false;
    const key = keyOf(phoneNumberId, userId);
    const clicked = click.get(key);
    if (clicked === undefined) return false;
    const answered = answer.get(key) ?? 0;
    if (answered < clicked && Date.now() - clicked < DAY) {
      await this.keep('answer', phoneNumberId, userId, Date.now());
      return true;
    }
    return Date.now() - answered < ENTRY_POINT;
  }

  reset(): void {
    for (const times of Object.values(this.latest)) times.clear();
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }

  private async keep(moment: Moment, phoneNumberId: string, userId: string, at: number): Promise<void> {
    const times = this.latest[moment];
    const key = keyOf(phoneNumberId, userId);
    const time = Math.min(at, Date.now());
    if ((times.get(key) ?? 0) >= time) return;
    times.set(key, time);
    const line: Line = [phoneNumberId, userId, time];
    await this.log.append(asciiJson(moment === 'message' ? line : [...line, moment]));
  }
}
