import type { Socket } from 'node:net';

/** Bytes on their way in one direction: in order, each after its delay, or lost. */
class Lane {
  private lost = false;
  private lastAt = 0;

  constructor(
    private readonly from: Socket,
    private readonly to: Socket,
    delayMs: () => number,
  ) {
    from.on('data', (bytes: Buffer) => this.later(delayMs(), () => this.forward(bytes)));
    from.on('close', () => this.later(delayMs(), () => to.destroySoon()));
    to.on('drain', () => from.resume());
  }

  /** Everything that has not arrived yet is lost, and whatever comes after it. */
  lose(): void {
    this.lost = true;
    this.from.resume();
  }

  private forward(bytes: Buffer): void {
    if (this.to.writable && !this.to.write(bytes)) this.from.pause();
  }

  private later(delayMs: number, work: () => void): void {
    const at = Math.max(Date.now() + delayMs, this.lastAt);
    if (at <= Date.now()) {
      if (!this.lost) work();
      return;
    }
    this.lastAt = at;
    setTimeout(() => {
      if (!this.lost) work();
    }, at - Date.now());
  }
}

/** One client's connection through a {@link TcpProxy}; without a server it hangs from the start. */
export class Link {
  private readonly requests: Lane | null;
  private readonly answers: Lane | null;

  constructor(
    private readonly client: Socket,
    private readonly server: Socket | null,
    delayMs: () => number,
  ) {
    for (const socket of [client, server]) {
      socket?.setNoDelay(true);
      // Nobody needs to hear of a broken connection here: the ends do.
      socket?.on('error', () => undefined);
    }
    this.requests = server === null ? null : new Lane(client, server, delayMs);
    this.answers = server === null ? null : new Lane(server, client, delayMs);
    if (server === null) client.resume();
  }

  get heldByClient(): boolean {
    return !this.client.destroyed;
  }

  /** Calls `gone` once neither end is open. */
  onGone(gone: () => void): void {
    const look = () => {
      if (this.client.destroyed && this.server?.destroyed !== false) gone();
    };
    this.client.on('close', look);
    this.server?.on('close', look);
  }

  /** What is lost includes the news that an end has closed. */
  silence(lost: 'requests' | 'answers' | 'both', server: 'gone' | 'open'): void {
    if (lost !== 'answers' || server === 'gone') this.requests?.lose();
    if (lost !== 'requests' || server === 'gone') this.answers?.lose();
    if (server === 'gone') this.server?.destroy();
  }

  cut(how: 'reset' | 'end'): void {
    for (const socket of [this.client, this.server]) {
      if (how === 'reset') socket?.resetAndDestroy();
      else socket?.destroySoon();
    }
  }
}
