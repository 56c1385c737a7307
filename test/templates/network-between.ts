import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackServer } from '../support/loopback-server.js';
import { World, type WorldOptions } from '../support/world.js';

/** An answer given instead of the network's. */
export interface GraphAnswer {
  readonly status?: number;
  readonly json: unknown;
}

export interface Call {
  readonly method: string;
  readonly path: string;
}

/** Intercepts Graph calls: null lets a call through, an answer keeps it from the network. */
export type Interception = (call: Call) => GraphAnswer | null;

/** Longer than what {@link NetworkBetween.beforeAnswer} does may take on a busy machine, milliseconds. */
const NETWORK_TIMEOUT_MS = '120000';

/** A proxy between Parley and the simulator for cases the simulator lacks: odd lists and arbitrary refusals. */
export class NetworkBetween {
  /** Handles calls from now on; by default all go through. */
  intercept: Interception = () => null;
  /** Runs after the simulator has handled a call and before Parley gets the answer. */
  beforeAnswer: (call: Call) => Promise<void> = async () => undefined;

  private constructor(
    private readonly server: LoopbackServer,
    readonly world: World,
  ) {}

  static async start({ env = {} }: WorldOptions = {}): Promise<NetworkBetween> {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      between.pass(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    };
    const server = await LoopbackServer.start(answer);
    const NETWORK_BASE_URL = server.url().replace(/\/$/, '');
    const world = await World.start({ env: { NETWORK_TIMEOUT_MS, ...env, NETWORK_BASE_URL } });
    const between = new NetworkBetween(server, world);
    return between;
  }

  /** Lets all calls through again. */
  stepAside(): void {
    this.intercept = () => null;
    this.beforeAnswer = async () => undefined;
  }

  async stop(): Promise<void> {
    await this.world.stop();
    await this.server.stop();
  }

  private async pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const own = this.intercept({ method, path });
    if (own !== null) {
      response.writeHead(own.status ?? 200, { 'content-type': 'application/json' }).end(JSON.stringify(own.json));
      return;
    }
    const answer = await fetch(this.world.simulator.url + path, {
      method,
      headers: {
        authorization: headers.authorization ?? '',
        'content-type': headers['content-type'] ?? 'application/octet-stream',
        ...(typeof headers['file_offset'] === 'string' ? { file_offset: headers['file_offset'] } : {}),
      },
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    await this.beforeAnswer({ method, path });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  }
}
