import { SECOND } from '../../src/values/clock.js';
import { AppendLog } from '../control/append-log.js';
import { asciiJson } from '../json-object.js';
import type { CallbackSender } from './callback-sender.js';
import { changeBody } from './envelopes.js';
import type { TimingWheel } from './timing-wheel.js';

/** How long a control call waits for an answer to its callback before it says 0: the network's own patience. */
const PATIENCE = 10 * SECOND;

interface PendingLine {
  key: number;
  /** Absent once the callback has been answered. */
  change?: { waba_id: string; field: string; value: unknown };
}

/** Callbacks other than status reports: written down before they are sent, and sent again after a restart until answered. */
export class PendingCallbacks {
  private nextKey = 0;
  private log: AppendLog;

  private constructor(
    private readonly sender: CallbackSender,
    private readonly wheel: TimingWheel,
  ) {}

  static open(path: string, sender: CallbackSender, wheel: TimingWheel): PendingCallbacks {
    const callbacks = new PendingCallbacks(sender, wheel);
    const unanswered = new Map<number, PendingLine>();
    callbacks.log = AppendLog.open(path, (text) => {
      const line = JSON.parse(text) as PendingLine;
      if (line.change) unanswered.set(line.key, line);
      else unanswered.delete(line.key);
      callbacks.nextKey = Math.max(callbacks.nextKey, line.key + 1);
    });
    for (const line of unanswered.values()) callbacks.deliver(line, () => undefined);
    return callbacks;
  }

  /**
   * Sends a callback and resolves, once it is on file, with a promise of the first answer's HTTP status: 0 when there
   * is no callback URL or nobody answers for 10 s. Whatever was not 2xx is repeated in the background.
   */
  async post(wabaId: string, field: string, value: unknown): Promise<{ answered: Promise<number> }> {
    const line: PendingLine = { key: this.nextKey, change: { waba_id: wabaId, field, value } };
    this.nextKey += 1;
    await this.log.append(asciiJson(line));
    const answered = new Promise<number>((resolve) => {
      this.wheel.after(this.sender.url === undefined ? 0 : PATIENCE, () => resolve(0));
      this.deliver(line, resolve);
    });
    return { answered };
  }

  reset(): void {
    this.log.clear();
  }

  close(): void {
    this.log.close();
  }

  private deliver({ key, change }: PendingLine, answered: (status: number) => void): void {
    if (!change) return;
    this.sender.send({
      render: () => changeBody(change.waba_id, change.field, change.value),
      delivered: (status) => {
        this.log.append(asciiJson({ key }));
        answered(status);
      },
      missed: (status) => {
        if (status !== 0) answered(status);
      },
    });
  }
}
