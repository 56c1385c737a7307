import { DAY } from '../../src/values/clock.js';
import { AppendLog } from '../control/append-log.js';
import { asciiJson } from '../json-object.js';
import { readMessageId } from '../people/message-ids.js';

/** How long a message can be reacted to and marked as read. */
const LIFETIME = 30 * DAY;

/** One message has the same token under the number and the user id of its sender. */
const keyOf = (id: string): string => readMessageId(id)?.token ?? id;

/** The messages that customers wrote, and when. Survives a restart. */
export class InboundIds {
  private readonly times = new Map<string, number>();
  private log: AppendLog;

  static open(path: string): InboundIds {
    const ids = new InboundIds();
    ids.log = AppendLog.open(path, (line) => {
      const [key, at] = JSON.parse(line) as [string, number];
      ids.times.set(key, at);
    });
    return ids;
  }

  /** Records a message written at `at` (ms). */
  async add(id: string, at: number): Promise<void> {
    const key = keyOf(id);
    if (this.times.has(key)) return;
    this.times.set(key, at);
    await this.log.append(asciiJson([key, at]));
  }

  /** Whether a customer wrote this message within the last 30 days. */
  has(id: string): boolean {
    const at = this.times.get(keyOf(id));
    return at !== undefined && Date.now() - at < LIFETIME;
  }

  reset(): void {
    this.times.clear();
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }
}
