import { deliveryHeaders } from '../../src/webhooks/delivery/webhook-signature.js';
import { RawConnection } from '../support/raw-connection.js';
import { until } from '../support/until.js';

const MIB = 1024 * 1024;
const GARBAGE_HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'webhook-id': '', 'webhook-timestamp': '', 'webhook-signature': '', 'x-webhook-signature': '' },
  { 'webhook-id': 'a', 'webhook-timestamp': '9'.repeat(5000), 'webhook-signature': 'v1,' },
  { 'webhook-id': 'a', 'webhook-timestamp': '-1e999', 'webhook-signature': 'v1,é\xff v1, ,,' },
  { 'webhook-id': 'a', 'webhook-timestamp': '\u00b2', 'webhook-signature': 'sha256=' },
];

/** A request that no sender of webhooks should make, by what is wrong with it. Each resolves when it has been made. */
export type HostileRequest = (baseUrl: string, secret: string) => Promise<void>;

export const HOSTILE_REQUESTS: Readonly<Record<string, HostileRequest>> = {
  aborted: async (baseUrl) => {
    for (const written of [0, 1, 60, 110]) {
      const connection = await RawConnection.open(baseUrl);
      const request = `POST / HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"event":`;
      connection.write(request.slice(0, written));
      await until('it is written', () => connection.flushed);
      connection.drop();
    }
  },

  oversized: async (baseUrl) => {
    const announced = await RawConnection.open(baseUrl);
    announced.head('POST', '/', { 'content-length': 4 * MIB });
    announced.write(Buffer.alloc(4 * MIB, 'x'));
    await answered(announced, [401, 413]);
    const chunked = await RawConnection.open(baseUrl);
    chunked.head('POST', '/', { 'transfer-encoding': 'chunked' });
    for (let chunk = 0; chunk < 40; chunk++) chunked.write(`19000\r\n${'x'.repeat(0x19000)}\r\n`);
    chunked.write('0\r\n\r\n');
    await answered(chunked, [400, 401, 411, 413, 501]);
    const headers = await RawConnection.open(baseUrl);
    headers.head('POST', '/', { 'webhook-id': 'x'.repeat(2 * MIB), 'content-length': 0 });
    await answered(headers, [400, 401, 413, 431]);
  },

  malformed: async (baseUrl, secret) => {
    for (const bytes of [
      'hello\r\n\r\n',
      '\x16\x03\x01\x02\x00',
      'POST / HTTP/1.1\r\nHost: test\r\nContent-Length: many\r\n\r\n{}',
      'POST / HTTP/1.1\r\nHost: test\r\nContent-Length: -5\r\n\r\n{}',
      'POST / HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      'BREW / HTTP/1.1\r\nHost: test\r\nContent-Length: 0\r\n\r\n',
    ]) {
      const connection = await RawConnection.open(baseUrl);
      connection.write(bytes);
      await until('it is written', () => connection.flushed);
      connection.drop();
    }
    for (const headers of GARBAGE_HEADERS) {
      const connection = await RawConnection.open(baseUrl);
      connection.head('POST', '/', { ...headers, 'content-length': 2 });
      connection.write('{}');
      await answered(connection, [400, 401, 411, 413]);
    }
    // What a holder of the secret would sign, and Parley never sends.
    for (const body of ['', 'null', '7', '[]', '{"event":', '\xff\xfe', '{"event":null}']) {
      const connection = await RawConnection.open(baseUrl);
      const bytes = Buffer.from(body, 'latin1');
      const id = `odd-${body}`.replace(/[^\w-]/g, '_');
      const signed = deliveryHeaders(id, new Date(), bytes, { current: secret, replaced: [] });
      connection.head('POST', '/', { ...signed, 'content-length': bytes.length });
      connection.write(bytes);
      await until('it is answered', () => connection.statuses.length > 0 || connection.closed);
      connection.drop();
    }
  },
};

/** Opens requests that never end: they stall in their head, or in their body. */
export async function slowRequests(baseUrl: string, count: number): Promise<RawConnection[]> {
  const opened: RawConnection[] = [];
  for (let index = 0; index < count; index++) {
    const connection = await RawConnection.open(baseUrl);
    if (index % 2 === 0) connection.write('POST / HTTP/1.1\r\nHost: te');
    else {
      connection.head('POST', '/', { 'content-length': 1000 });
      connection.write('{"event":');
    }
    opened.push(connection);
  }
  return opened;
}

/** Waits for one of these statuses, or for the end of the connection, which a sender sees who goes on writing. */
async function answered(connection: RawConnection, statuses: readonly number[]): Promise<void> {
  await until('it is answered', () => connection.closed || connection.statuses.length > 0);
  for (const status of connection.statuses) expect(statuses).toContain(status);
  connection.drop();
}
