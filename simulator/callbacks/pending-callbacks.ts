import { SECOND } from '../../src/values/clock.js';
import { AppendLog } from '../control/append-log.js';
import { asciiJson } from '../json-object.js';
import type { CallbackSender } from './callback-sender.js';
import { changeBody, type ReportedChange } from './envelopes.js';
import type { TimingWheel } from './timing-wheel.js';

/** How long a control call waits for the response to its callback before it returns 0; the network's own timeout. */
const RESPONSE_TIMEOUT = 10 * SECOND;

interface PendingLine {
  key: number;
  /** Absent once the callback has been answered. */
  change?: ReportedChange;
}

/** Callbacks other than status reports: stored before they are sent, and resent after a restart until delivered. */
export class PendingCallbacks {
  private nextKey = 0;
  private log: AppendLog;

  private constructor(
    private readonly sender: CallbackSender,
    private readonly wheel: TimingWheel,
    private readonly acceptanceTimeoutMs: number,
  ) {}

  /** @param acceptanceTimeoutMs how long {@link post} waits for a 2xx response; 0 returns the first one */
  static open(path: string, sender: CallbackSender, wheel: TimingWheel, acceptanceTimeoutMs = 0): PendingCallbacks {
    const callbacks = new PendingCallbacks(sender, wheel, acceptanceTimeoutMs);
    const unanswered = new Map<number, PendingLine>();
    callbacks.log = AppendLog.open(path, (text) => {
      const line = JSON.parse(text) as PendingLine;
      if (line.change) unanswered.set(line.key, line);
      else unanswered.delete(line.key);
      callbacks.nextKey = Math.max(callbacks.nextKey, line.key + 1);
    });
    const ignored = { accepted: () => undefined, missed: () => undefined };
    for (const line of unanswered.values()) callbacks.deliver(line, ignored);
    return callbacks;
  }

  /**
   * Stores a callback, then sends it. `answered` resolves with the status of the first response (with an acceptance
   * timeout: of a 2xx response, or of the last one in that time), or 0 when there is no callback URL or no response
   * within 10 s. Until a 2xx response the callback is retried in the background.
   */
  async post(change: ReportedChange): Promise<{ answered: Promise<number> }> {
    const time = change.field === 'messages' ? {} : { time: Math.floor(Date.now() / SECOND) };
    const line: PendingLine = { key: this.nextKey, change: { ...change, ...time } };
    this.nextKey += 1;
    await this.log.append(asciiJson(line));
    const answered = new Promise<number>((resolve) => {
      let last = 0;
      const waitMs = this.acceptanceTimeoutMs || RESPONSE_TIMEOUT;
      this.wheel.after(this.sender.url === undefined ? 0 : waitMs, () => resolve(last));
      const missed = (status: number): void => {
        last = status;
        if (status !== 0 && this.acceptanceTimeoutMs === 0) resolve(status);
      };
      this.deliver(line, { accepted: resolve, missed });
    });
    return { answered };
  }

  reset(): void {
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }

  private deliver(
    { key, change }: PendingLine,
    answers: Record<'accepted' | 'missed', (status: number) => void>,
  ): void {
    if (!change) return;
    this.sender.send({
      about: { wabaId: change.waba_id, field: change.field },
      render: () => changeBody(change),
      delivered: (status) => {
        this.log.append(asciiJson({ key }));
        answers.accepted(status);
      },
      missed: answers.missed,
    });
  }
}
