import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackServer } from '../support/loopback-server.js';

/** The simulator behind a relay, which can hold back the answers to sends. */
export class HeldNetwork {
  /** The simulator's URL. */
  simulator = '';
  private held: Promise<void> = Promise.resolve();
  private server: LoopbackServer | null = null;

  static async start(): Promise<HeldNetwork> {
    const network = new HeldNetwork();
    network.server = await LoopbackServer.start((request, response) => {
      // A connection that the simulator resets is reset here, too.
      network.passOn(request, response).catch(() => request.socket.resetAndDestroy());
    });
    return network;
  }

  get url(): string {
    return this.server?.url('') ?? '';
  }

  /** Holds back answers to sends, which the simulator has accepted by then, until the returned function is called. */
  hold(): () => void {
    let release = (): void => undefined;
    this.held = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  private async passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const answer = await fetch(`${this.simulator}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { authorization, ...(type === '' ? {} : { 'content-type': type }) },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    if (request.url?.endsWith('/messages')) await this.held;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  }
}
