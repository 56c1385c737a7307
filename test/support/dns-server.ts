import { createSocket, type Socket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import ipaddr from 'ipaddr.js';

const TYPES = new Map([
  [1, 'ipv4'],
  [28, 'ipv6'],
]);
const NO_SUCH_NAME = 3;

/** A DNS server on loopback with answers set by a test and a TTL of 0. */
export class DnsServer {
  /** Queried names in order, one per A query. */
  readonly queried: string[] = [];
  private readonly names = new Map<string, string[][]>();
  private readonly silent = new Set<string>();

  private constructor(private readonly socket: Socket) {
    socket.on('message', (query, from) => {
      const answer = this.answer(query);
      if (answer !== null) socket.send(answer, from.port, from.address);
    });
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new DnsServer(socket);
  }

  /** In the format of `setServers`. */
  get address(): string {
    return `127.0.0.1:${(this.socket.address() as AddressInfo).port}`;
  }

  /** Resolves `name` to `addresses`. Several lists are returned one after the other; the last one is repeated. */
  resolve(name: string, ...addresses: string[][]): void {
    this.names.set(name, addresses);
  }

  /** Leaves queries for `name` without an answer. */
  ignore(name: string): void {
    this.silent.add(name);
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => this.socket.close(() => resolve()));
  }

  private answer(query: Buffer): Buffer | null {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const name = labels.join('.').toLowerCase();
    const kind = TYPES.get(query.readUInt16BE(at + 1));
    if (this.silent.has(name)) return null;
    const turns = this.names.get(name);
    const addresses = (turns?.[0] ?? []).map((address) => ipaddr.parse(address)).filter((a) => a.kind() === kind);
    if (kind === 'ipv4') {
      this.queried.push(name);
      // c-ares sends the A query first.
      if (turns !== undefined && turns.length > 1) turns.shift();
    }
    const head = Buffer.from(query.subarray(0, 12));
    head.writeUInt16BE(0x8180 | (turns === undefined ? NO_SUCH_NAME : 0), 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const records = addresses.map((address) => {
      const data = Buffer.from(address.toByteArray());
      const record = Buffer.from([0xc0, 12, 0, data.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
      return Buffer.concat([record, data]);
    });
    return Buffer.concat([head, query.subarray(12, at + 5), ...records]);
  }
}
