import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds between two closings of idle connections while the server drains. */
const CLOSE_IDLE_EVERY_MS = 50;
/** Milliseconds into the drain after which connections that never sent anything are closed. */
const SILENT_MS = 500;

/** Tracks the connections of one HTTP server and drains them. */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Closes the port and resolves once every request under way is answered. Idle connections are closed immediately, all
   * others after `patienceMs`.
   */
  async drain(patienceMs: number): Promise<void> {
    if (!this.server.listening) return;
    const startedAt = performance.now();
    const interval = setInterval(() => {
      this.server.closeIdleConnections();
      // Node.js doesn't count a new connection as idle: its first request may be on the way.
      if (performance.now() - startedAt > SILENT_MS) this.closeSilent();
    }, CLOSE_IDLE_EVERY_MS);
    const deadline = setTimeout(() => this.server.closeAllConnections(), patienceMs);
    try {
      await new Promise<void>((resolve) => this.server.close(() => resolve()));
    } finally {
      clearInterval(interval);
      clearTimeout(deadline);
    }
  }

  private closeSilent(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
