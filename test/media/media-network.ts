import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { LoopbackServer } from '../support/loopback-server.js';

/** What the network says of a file, and how its server answers. */
export interface HeldFile {
  readonly bytes: Buffer;
  readonly mimeType: string;
  /** What the description says instead of the truth. */
  readonly said?: Readonly<Record<string, unknown>>;
  /** Answers the download instead of sending the bytes. */
  readonly serve?: (response: ServerResponse, request: IncomingMessage) => void;
}

/** A request for a file's bytes. */
export interface Download {
  readonly id: string;
  readonly authorization: string | undefined;
}

/** The first bytes of a PNG, and enough others to fill `size`. */
export function png(size = 64): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
  return Buffer.concat([head, randomBytes(Math.max(0, size - head.length))]);
}

/**
 * The part of the network that holds files, without manners: it lies, stalls, redirects and forgets as a test says. The
 * messages themselves come from the simulator.
 */
export class MediaNetwork {
  readonly downloads: Download[] = [];
  /** Answers of the network itself to a description; null: the truth. */
  refusal: object | null = null;
  /** The same, once. */
  nextRefusal: object | null = null;
  private readonly files = new Map<string, HeldFile>();
  private readonly phones = new Set<string>();

  private constructor(readonly server: LoopbackServer) {}

  static async start(): Promise<MediaNetwork> {
    let network: MediaNetwork | null = null;
    const server = await LoopbackServer.start((request, response) => network?.answer(request, response));
    network = new MediaNetwork(server);
    return network;
  }

  get url(): string {
    return this.server.url('');
  }

  /** Accepts any token for this phone. */
  knows(phoneNumberId: string): void {
    this.phones.add(phoneNumberId);
  }

  hold(file: HeldFile, id = String(Date.now()) + randomBytes(3).readUIntBE(0, 3)): string {
    this.files.set(id, file);
    return id;
  }

  forget(id: string): void {
    this.files.delete(id);
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    const [, first = '', id = ''] = new URL(request.url ?? '', 'http://network').pathname.split('/');
    const file = this.files.get(id);
    if (first === 'bytes') {
      this.downloads.push({ id, authorization: request.headers.authorization });
      if (file === undefined) response.writeHead(404).end();
      else if (file.serve !== undefined) file.serve(response, request);
      else response.writeHead(200, { 'content-length': file.bytes.length }).end(file.bytes);
    } else if (this.refusal !== null || this.nextRefusal !== null) {
      json(response, 400, { error: this.refusal ?? this.nextRefusal });
      this.nextRefusal = null;
    } else if (this.phones.has(id)) {
      json(response, 200, { id });
    } else if (file === undefined) {
      json(response, 400, {
        error: { code: 100, error_subcode: 33, message: `Object with ID '${id}' does not exist` },
      });
    } else {
      const { bytes, mimeType, said = {} } = file;
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const url = `${this.url}/bytes/${id}`;
      json(response, 200, { url, mime_type: mimeType, sha256, file_size: bytes.length, id, ...said });
    }
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
