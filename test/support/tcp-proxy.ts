import { createServer, connect as open, type Server, type Socket } from 'node:net';
import { Link } from './tcp-link.js';

/** How connections hang. */
export interface Silence {
  /** Whether new connections work, as after a failover, or hang too, as with a broken cable. */
  readonly newConnections: 'work' | 'hang';
  /** The direction in which bytes are lost; by default both. */
  readonly lost?: 'requests' | 'answers' | 'both';
  /**
   * `gone` closes the server's end, as when the server died; `open` keeps its sessions with their transactions and
   * locks, as when only the network failed.
   */
  readonly server?: 'gone' | 'open';
}

/** Below the ephemeral range, so that no client takes our port while it refuses connections. */
const PORTS = { from: 20_000, count: 12_000 };
const MAX_TRIES = 50;

/**
 * A TCP proxy between a service and its PostgreSQL or Redis that a test can make silent, slow, cut or refusing. Silent
 * connections stay silent after {@link heal}, like connections to a dead server.
 */
export class TcpProxy {
  private readonly links = new Set<Link>();
  private delayMs = 0;
  private hanging = false;
  private listener: Server | null = null;
  /** The highest number of connections that clients held at the same time. */
  maxOpen = 0;

  private constructor(
    private readonly target: { readonly host: string; readonly port: number },
    readonly port: number,
  ) {}

  /** @param url URL of the server behind it, such as `postgres://user@127.0.0.1:5432/name` */
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
        if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === MAX_TRIES) throw error;
      }
    }
  }

  /** `url` with the host and port of this proxy. */
  through(url: string): string {
    const changed = new URL(url);
    changed.hostname = '127.0.0.1';
    changed.port = String(this.port);
    return changed.href;
  }

  /** Number of connections that clients hold. */
  get open(): number {
    return [...this.links].filter((link) => link.heldByClient).length;
  }

  /** Makes all open connections hang. */
  silence({ newConnections, lost = 'both', server = 'gone' }: Silence): void {
    this.hanging = newConnections === 'hang';
    for (const link of this.links) link.silence(lost, server);
  }

  /** Delays all bytes by `ms` in both directions; 0 removes the delay. */
  delay(ms: number): void {
    this.delayMs = ms;
  }

  /** Closes all connections: `reset` like a crash, `end` like an orderly restart. */
  cut(how: 'reset' | 'end'): void {
    for (const link of this.links) link.cut(how);
  }

  /** Refuses new connections. */
  refuse(): void {
    this.listener?.close();
    this.listener = null;
  }

  /** Lets new connections work again, without delay. */
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
    this.maxOpen = Math.max(this.maxOpen, this.open);
  }
}
