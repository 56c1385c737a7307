import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import ipaddr from 'ipaddr.js';

type Family = 4 | 6;
/** Record types. */
const [A, CNAME, AAAA] = [1, 5, 28];
const NO_SUCH_NAME = 3;
const [RESPONSE, TRUNCATED] = [0x8180, 0x0200];

/** How the server answers queries for the addresses of one family of a name. */
export interface NameAnswer {
  readonly addresses?: readonly string[];
  /** Seconds; 0 by default. */
  readonly ttl?: number;
  /** The response code; 0 by default. */
  readonly code?: number;
  /** Sends nothing before this resolves. */
  readonly after?: Promise<unknown>;
  /** So many queries stay without an answer first. */
  readonly dropped?: number;
  /** Names that stand between this one and the addresses. */
  readonly aliases?: readonly string[];
  /** Says over UDP that the answer is too long for that. */
  readonly isTruncated?: boolean;
  /** Sends this in place of an answer. */
  readonly bytes?: Buffer;
}

interface Query {
  readonly name: string;
  readonly family: Family;
  /** Where the question ends. */
  readonly end: number;
}

/** A DNS server on loopback with answers set by a test. */
export class DnsServer {
  /** Queried names in order, one per A query. */
  readonly queried: string[] = [];
  /** All queries in order, such as `6 some.example`. */
  readonly questions: string[] = [];
  /** Those of them that were answered. */
  readonly sent: string[] = [];
  private readonly names = new Map<string, string[][]>();
  private readonly answers = new Map<string, NameAnswer>();
  private readonly silent = new Set<string>();
  private isStopped = false;

  private constructor(
    private readonly socket: Socket,
    private readonly server: Server,
  ) {
    socket.on('message', (bytes, from) => {
      void this.answer(bytes, true).then((answer) => {
        if (answer !== null && !this.isStopped) socket.send(answer, from.port, from.address);
      });
    });
    server.on('connection', (connection) => {
      connection.on('error', () => undefined);
      let arrived = Buffer.alloc(0);
      connection.on('data', (bytes: Buffer) => {
        arrived = Buffer.concat([arrived, bytes]);
        while (arrived.length >= 2 && arrived.length >= 2 + arrived.readUInt16BE()) {
          const query = arrived.subarray(2, 2 + arrived.readUInt16BE());
          arrived = arrived.subarray(2 + query.length);
          void this.answer(query, false).then((answer) => {
            if (answer !== null) connection.write(Buffer.concat([lengthOf(answer), answer]));
          });
        }
      });
    });
  }

  static async start(): Promise<DnsServer> {
    for (;;) {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const socket = createSocket('udp4');
      const taken = once(socket, 'error');
      socket.bind((server.address() as AddressInfo).port, '127.0.0.1');
      if ((await Promise.race([once(socket, 'listening'), taken])).length === 0) return new DnsServer(socket, server);
      socket.close();
      server.close();
    }
  }

  /** In the format of `setServers`. */
  get address(): string {
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`;
  }

  /** Resolves `name` to `addresses`. Several lists are returned one after the other; the last one is repeated. */
  resolve(name: string, ...addresses: string[][]): void {
    this.names.set(name, addresses);
  }

  /** Answers queries of one family differently. */
  set(name: string, family: Family, answer: NameAnswer): void {
    this.answers.set(`${family} ${name}`, answer);
  }

  /** Leaves queries for `name` without an answer. */
  ignore(name: string): void {
    this.silent.add(name);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(bytes: Buffer, isUdp: boolean): Promise<Buffer | null> {
    const query = readQuery(bytes);
    const { name, family } = query;
    const key = `${family} ${name}`;
    this.questions.push(key);
    if (family === 4) this.queried.push(name);
    if (this.silent.has(name)) return null;
    const set = this.answers.get(key);
    if (set === undefined) return responseTo(bytes, query, this.next(query));
    if (set.dropped !== undefined && set.dropped > 0) {
      this.answers.set(key, { ...set, dropped: set.dropped - 1 });
      return null;
    }
    await set.after;
    this.sent.push(key);
    if (set.bytes !== undefined) return Buffer.concat([bytes.subarray(0, 2), set.bytes]);
    return responseTo(bytes, query, isUdp && set.isTruncated ? set : { ...set, isTruncated: false });
  }

  private next({ name, family }: Query): NameAnswer {
    const turns = this.names.get(name);
    const addresses = (turns?.[0] ?? []).filter((address) => familyOf(address) === family);
    // c-ares sends the A query first, or last: the turn is over with it.
    if (family === 4 && turns !== undefined && turns.length > 1) turns.shift();
    return { addresses, code: turns === undefined ? NO_SUCH_NAME : 0 };
  }
}

const familyOf = (address: string): Family => (ipaddr.parse(address).kind() === 'ipv4' ? 4 : 6);

function lengthOf(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return length;
}

function readQuery(bytes: Buffer): Query {
  const labels: string[] = [];
  let at = 12;
  for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
    labels.push(bytes.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return {
    name: labels.join('.').toLowerCase(),
    family: bytes.readUInt16BE(at + 1) === AAAA ? 6 : 4,
    end: at + 5,
  };
}

function responseTo(bytes: Buffer, { name, family, end }: Query, answer: NameAnswer): Buffer {
  const { addresses = [], ttl = 0, code = 0, aliases = [], isTruncated = false } = answer;
  const names = [name, ...aliases];
  const records = [
    ...aliases.map((alias, index) => record(names[index] ?? '', CNAME, ttl, nameOf(alias))),
    ...addresses.map((address) =>
      record(names.at(-1) ?? '', family === 4 ? A : AAAA, ttl, Buffer.from(ipaddr.parse(address).toByteArray())),
    ),
  ];
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt16BE(RESPONSE | code | (isTruncated ? TRUNCATED : 0), 2);
  head.writeUInt16BE(isTruncated ? 0 : records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, bytes.subarray(12, end), ...(isTruncated ? [] : records)]);
}

function record(name: string, type: number, ttl: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(ttl, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameOf(name), fields, data]);
}

const nameOf = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.alloc(1),
  ]);
