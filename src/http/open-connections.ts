import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How often connections that have become idle are closed while the server drains, milliseconds. */
const LOOK_EVERY_MS = 50;
/** How long a connection may exist without having sent anything while the server drains, milliseconds. */
const SILENT_MS = 500;

/** The connections of one HTTP server, and how they end. */
export class OpenConnections {
  private readonly sockets = new Set<Socket>();

  constructor(private readonly server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
  }

  /**
   * Closes the port and resolves once every request under way is answered: whatever they need is still open. Connections
   * without a request are closed at once, and all others after `patienceMs`.
   */
  async drain(patienceMs: number): Promise<void> {
    if (!this.server.listening) return;
    const startedAt = performance.now();
    const look = setInterval(() => {
      this.server.closeIdleConnections();
      // To Node, one that was only opened is not idle: its first request may be on the way.
      if (performance.now() - startedAt > SILENT_MS) this.closeSilent();
    }, LOOK_EVERY_MS);
    const patience = setTimeout(() => this.server.closeAllConnections(), patienceMs);
    try {
      await new Promise<void>((resolve) => this.server.close(() => resolve()));
    } finally {
      clearInterval(look);
      clearTimeout(patience);
    }
  }

  private closeSilent(): void {
    for (const socket of this.sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
