import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline, Readable } from 'node:stream';
import type { TimingWheel } from './callbacks/timing-wheel.js';
import type { Behaviour } from './control/behaviour.js';
import { ControlError } from './control/control-error.js';
import type { ControlRouter } from './control/control-router.js';
import type { RequestLog } from './control/request-log.js';
import { type Answer, Exchange } from './exchange.js';
import { GraphError } from './graph-error.js';
import type { GraphRouter } from './graph-router.js';

/** In ms. Longer than any client keeps an idle connection, so a request never hits one we are closing. */
const KEEP_ALIVE = 75_000;
const MAX_BYTES = 110 * 1024 * 1024;

interface Routers {
  graph: GraphRouter;
  control: ControlRouter;
}

/** The HTTP server: reads the whole request, calls the right router, and writes its answer or resets the connection. */
export class HttpFront {
  private readonly server: Server;
  private routers: Routers | undefined;
  /** Hands the routers to requests that arrived while the files were still being read. */
  private announce: (routers: Routers) => void = () => undefined;
  private readonly opened = new Promise<Routers>((resolve) => {
    this.announce = resolve;
  });
  private base = '';
  private closed = false;

  constructor(
    private readonly requests: RequestLog,
    private readonly behaviour: Behaviour,
    private readonly wheel: TimingWheel,
  ) {
    this.server = createServer({ keepAliveTimeout: KEEP_ALIVE }, (request, response) => this.read(request, response));
  }

  get url(): string {
    return this.base;
  }

  /** Binds the port before any file is opened, so a second instance touches nothing. Requests wait for `open`. */
  listen(port: number, host: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        const address = this.server.address() as AddressInfo;
        this.base = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
        resolve(this.base);
      });
    });
  }

  /** Starts answering requests, including those already waiting. */
  open(graph: GraphRouter, control: ControlRouter): void {
    this.routers = { graph, control };
    this.announce(this.routers);
  }

  close(): Promise<void> {
    this.closed = true;
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private read(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) request.destroy();
      else chunks.push(chunk);
    });
    request.on('error', () => undefined);
    request.on('end', () => {
      const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      this.serve(new Exchange(request, body), response).catch(() => response.destroy());
    });
  }

  private async serve(exchange: Exchange, response: ServerResponse): Promise<void> {
    const { graph, control: controls } = this.routers ?? (await this.opened);
    const control = exchange.path.startsWith('/_sim');
    const latency = control ? 0 : this.behaviour.settings.latency_ms;
    if (!control) this.requests.record(exchange.request, exchange.text);
    const answer = await (control ? controls : graph).answer(exchange).catch(answerTo);
    if (latency > 0) this.wheel.after(latency, () => this.write(answer, response));
    else this.write(answer, response);
  }

  private write(answer: Answer, response: ServerResponse): void {
    if (this.closed) return;
    if (answer === 'reset') {
      response.socket?.resetAndDestroy();
      return;
    }
    if ('body' in answer) {
      const aborter = new AbortController();
      response.on('close', () => aborter.abort());
      response.writeHead(answer.status, answer.headers);
      // A client that leaves, or a body that breaks off, closes the connection.
      pipeline(Readable.from(answer.body(aborter.signal), { highWaterMark: 1 }), response, () => undefined);
      return;
    }
    const json = JSON.stringify(answer.json);
    response.writeHead(answer.status, {
      'content-type': 'application/json; charset=UTF-8',
      'content-length': Buffer.byteLength(json),
      ...answer.headers,
    });
    response.end(json);
  }
}

/** Maps an error to an answer; an unexpected error becomes the network's code 1 with a 500. */
function answerTo(error: unknown): Answer {
  if (error instanceof ControlError) {
    const code = error.status === 404 ? 'not_found' : 'bad_request';
    return { status: error.status, json: { error: code, message: error.message } };
  }
  const refusal = error instanceof GraphError ? error : new GraphError(1, String(error));
  return { status: refusal.status, json: refusal.body(), headers: refusal.headers };
}
