import { createServer, connect as open, type Server, type Socket } from 'node:net';
import { Link } from './tcp-link.js';

/** How a path falls silent. */
export interface Silence {
  /** What becomes of connections opened from now on: a failover leaves another server that answers, a lost cable none. */
  readonly newConnections: 'work' | 'hang';
  /** Which bytes are lost; by default those of both directions. */
  readonly lost?: 'requests' | 'answers' | 'both';
  /**
   * What the server's end of a silent connection sees. `gone` ends its sessions, as when the server itself died; `open`
   * leaves them, with their transactions and locks, as when only the path died.
   */
  readonly server?: 'gone' | 'open';
}

/** Below the range from which clients get their ports, so that nobody takes ours while it refuses. */
const PORTS = { from: 20_000, count: 12_000 };
const TRIES = 50;

/**
 * A TCP path from a service to its PostgreSQL or Redis that a test can spoil: silent, slow, cut or refusing. The
 * connections of a silent path stay silent when it heals, as those to a dead server do.
 */
export class TcpProxy {
  private readonly links = new Set<Link>();
  private delayMs = 0;
  private hanging = false;
  private listener: Server | null = null;
  /** Most connections that clients held at once. */
  mostOpen = 0;

  private constructor(
    private readonly target: { readonly host: string; readonly port: number },
    readonly port: number,
  ) {}

  /** @param url of the server behind, such as `postgres://user@127.0.0.1:5432/name` */
  static async start(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url);
    for (let tries = 1; ; tries += 1) {
      const proxy = new TcpProxy(
        { host: hostname, port: Number(port) },
        PORTS.from + Math.floor(Math.random() * PORTS.count),
      );
      try {
        await proxy.listen();
        return proxy;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === TRIES) throw error;
      }
    }
  }

  /** `url` with this proxy in the server's place. */
  through(url: string): string {
    const changed = new URL(url);
    changed.hostname = '127.0.0.1';
    changed.port = String(this.port);
    return changed.href;
  }

  /** Connections that clients hold. */
  get open(): number {
    return [...this.links].filter((link) => link.heldByClient).length;
  }

  /** Every connection that is open hangs from now on. */
  silence({ newConnections, lost = 'both', server = 'gone' }: Silence): void {
    this.hanging = newConnections === 'hang';
    for (const link of this.links) link.silence(lost, server);
  }

  /** Every byte takes so much longer, in either direction; 0 takes it back. */
  delay(ms: number): void {
    this.delayMs = ms;
  }

  /** Ends every connection: `reset` as a crash does, `end` as an orderly restart does. */
  cut(how: 'reset' | 'end'): void {
    for (const link of this.links) link.cut(how);
  }

  /** New connections are refused. */
  refuse(): void {
    this.listener?.close();
    this.listener = null;
  }

  /** New connections work again, without delay. */
  async heal(): Promise<void> {
    this.hanging = false;
    this.delayMs = 0;
    if (this.listener === null) await this.listen();
  }

  async stop(): Promise<void> {
    this.refuse();
    this.cut('reset');
  }

  private async listen(): Promise<void> {
    const listener = createServer((client) => this.accept(client));
    await new Promise<void>((resolve, reject) => {
      listener.once('error', reject);
      listener.listen({ port: this.port, host: '127.0.0.1' }, resolve);
    });
    this.listener = listener;
  }

  private accept(client: Socket): void {
    const server = this.hanging ? null : open(this.target);
    const link = new Link(client, server, () => this.delayMs);
    this.links.add(link);
    link.onGone(() => this.links.delete(link));
    this.mostOpen = Math.max(this.mostOpen, this.open);
  }
}
