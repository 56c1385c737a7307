import { Readable } from 'node:stream';

/** Bytes that wait in this process; whoever reads slowly gets the latest state then, not each one. */
const MAX_WAITING = 16 * 1024;

/** Server-sent events of states: of each topic only the latest waits, however slowly the other side reads. */
export class EventStream extends Readable {
  private readonly waiting = new Map<string, string>();
  private isWanted = false;
  /** Whether the last event has been sent, and whether the end behind it has. */
  private isLast = false;
  private hasEnded = false;
  /** When the other side last took something, by `performance.now()`. */
  takenAt = performance.now();

  constructor() {
    super({ highWaterMark: MAX_WAITING });
  }

  /** Sends an event. @param topic those of the same one replace each other while they wait */
  send(topic: string, event: string, data: string): void {
    if (this.isLast) return;
    this.waiting.set(topic, `event: ${event}\ndata: ${data}\n\n`);
    this.flush();
  }

  /** Sends a comment, which keeps proxies from closing a stream without events. */
  keepAlive(): void {
    if (this.isLast || this.waiting.size > 0) return;
    this.waiting.set('', ': \n\n');
    this.flush();
  }

  /** Sends a last event, and ends. Nothing comes behind it. */
  end(event: string): void {
    if (this.isLast) return;
    this.waiting.clear();
    this.send(event, event, '{}');
    this.isLast = true;
    this.flush();
  }

  override _read(): void {
    this.isWanted = true;
    this.takenAt = performance.now();
    this.flush();
  }

  private flush(): void {
    for (const [topic, text] of this.waiting) {
      if (!this.isWanted) return;
      this.waiting.delete(topic);
      this.isWanted = this.push(text);
    }
    if (this.isLast && !this.hasEnded && this.waiting.size === 0) {
      this.hasEnded = true;
      this.push(null);
    }
  }
}
