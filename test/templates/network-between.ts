import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackServer } from '../support/loopback-server.js';
import { World, type WorldOptions } from '../support/world.js';

/** An answer in the network's place. */
export interface GraphAnswer {
  readonly status?: number;
  readonly json: unknown;
}

export interface Call {
  readonly method: string;
  readonly path: string;
}

/** Looks at each Graph call; what it answers, the network never hears of. Null lets the call through. */
export type Interception = (call: Call) => GraphAnswer | null;

/** Stands between Parley and the simulator, for what the simulator does not do: odd lists and refusals at will. */
export class NetworkBetween {
  /** What happens to the calls from now on; by default all of them go through. */
  intercept: Interception = () => null;
  /** Done after the simulator has carried a call out, and before Parley hears of it. */
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
    const world = await World.start({ env: { ...env, NETWORK_BASE_URL: server.url().replace(/\/$/, '') } });
    const between = new NetworkBetween(server, world);
    return between;
  }

  /** Lets everything through again. */
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
