import type { Socket } from 'node:net';
import { EgressClient } from '../../src/egress/egress-client.js';
import { EgressGuard } from '../../src/egress/egress-guard.js';
import { HostResolver } from '../../src/egress/host-resolver.js';
import { UntidyServer, writeInPieces } from './untidy-answers.js';

/** A time-out that no request reaches on a busy machine, and a small cap for its response. */
export const PATIENT = { timeoutMs: 60_000, maxResponseBytes: 1024 };

/** A raw server whose answers a test sets, path by path, and a client that may connect to it. */
export class ScriptedServer {
  readonly client = new EgressClient(new EgressGuard(['127.0.0.0/8'], new HostResolver()));

  private constructor(
    private readonly server: UntidyServer,
    private readonly answers: Map<string, (socket: Socket) => Promise<void>>,
  ) {}

  static async start(): Promise<ScriptedServer> {
    const answers: ScriptedServer['answers'] = new Map();
    const server = await UntidyServer.listen((path, socket) => answers.get(path)?.(socket));
    return new ScriptedServer(server, answers);
  }

  /** Requests that arrived. */
  get requests(): number {
    return this.server.requests;
  }

  /** Sets the answer of a path, in Latin-1. With `ends`, the connection then ends. @returns the URL of the path */
  script(path: string, pieces: readonly string[], ends = false): string {
    this.answers.set(path, (socket) => writeInPieces(socket, pieces, ends));
    return this.server.url(path);
  }

  /** Sends a POST to a new path, which has this answer. */
  post(pieces: readonly string[], ends = false): ReturnType<EgressClient['request']> {
    const url = this.script(`${this.answers.size}`, pieces, ends);
    return this.client.request({ ...PATIENT, url, method: 'POST', body: '{}' });
  }

  async stop(): Promise<void> {
    await this.client.onApplicationShutdown();
    await this.server.close();
  }
}
