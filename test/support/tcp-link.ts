import type { Socket } from 'node:net';

/** Forwards bytes in one direction, in order and with a delay, or loses them. */
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

  /** Loses all bytes that have not arrived yet, and all later ones. */
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

/** A client's connection through a {@link TcpProxy}; without a server it hangs from the start. */
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
      // Broken connections are noticed at both ends, not here.
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
    const check = () => {
      if (this.client.destroyed && this.server?.destroyed !== false) gone();
    };
    this.client.on('close', check);
    this.server?.on('close', check);
  }

  /** Loses bytes, including the news that an end has closed. */
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
