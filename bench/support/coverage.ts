import { once } from 'node:events';
import { createServer } from 'node:net';
import { WebSocket } from 'undici';

/** A function of our own modules and how often it ran. Key: its file below `src/`, its name and its place in the file. */
export type Calls = ReadonlyMap<string, number>;

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
  }[];
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Our own modules in the build. */
const OURS = /\/dist[^/]*\/src\/(.+)\.js$/;

/** Counts calls in another process, with V8's precise coverage over the inspector. */
export class Coverage {
  private last = 0;
  private readonly waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => {
      const { id, result, error } = JSON.parse(String(data)) as Answer;
      const call = this.waiting.get(id ?? 0);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(error.message));
      this.waiting.delete(id ?? 0);
    });
  }

  /** @param port on which the process was started with `--inspect` */
  static async start(port: number): Promise<Coverage> {
    const targets = await fetch(`http://127.0.0.1:${port}/json/list`);
    const [target] = (await targets.json()) as { webSocketDebuggerUrl: string }[];
    const socket = new WebSocket(target?.webSocketDebuggerUrl ?? '');
    await once(socket as unknown as EventTarget & NodeJS.EventEmitter, 'open');
    const coverage = new Coverage(socket);
    await coverage.call('Profiler.enable');
    await coverage.call('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return coverage;
  }

  /** The calls since the last one. */
  async take(): Promise<Calls> {
    const { result } = (await this.call('Profiler.takePreciseCoverage')) as { result: readonly ScriptCoverage[] };
    const calls = new Map<string, number>();
    for (const { url, functions } of result) {
      const file = OURS.exec(url)?.[1];
      if (file === undefined) continue;
      for (const { functionName, ranges } of functions) {
        const [whole] = ranges;
        if (whole === undefined || whole.count === 0) continue;
        calls.set(`${file} ${functionName || '(anonymous)'} ${whole.startOffset}`, whole.count);
      }
    }
    return calls;
  }

  stop(): void {
    this.socket.close();
  }

  private call(method: string, params: object = {}): Promise<unknown> {
    this.last += 1;
    const id = this.last;
    const answered = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.socket.send(JSON.stringify({ id, method, params }));
    return answered;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
