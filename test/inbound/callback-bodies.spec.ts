import { createHmac } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAX_BODY_MS, SILENT_MS } from '../../src/http/request-body.js';
import { crowd } from '../support/crowd.js';
import { ForeignSession } from '../support/foreign-session.js';
import { HeldTimers } from '../support/held-timers.js';
import { RawConnection } from '../support/raw-connection.js';
import { until } from '../support/until.js';
import { uniqueDigits, World } from '../support/world.js';
import { postOnce } from './inbound.js';

const MIB = 1024 * 1024;
/** How many callbacks of the maximum size one process holds. */
const ROOM = 16;
const PATH = '/network/callbacks';
const WRONG_SIGNATURE = `sha256=${'0'.repeat(64)}`;

describe('bodies of network callbacks', () => {
  let world: World;
  /** Bodies run out of time when a test says so, however long a busy machine takes to send them. */
  let bodyTimers: HeldTimers;
  /** Bodies count as silent when a test says so. */
  let silence: HeldTimers;
  const connections: RawConnection[] = [];
  /** The server's ends of the connections that the test has opened. */
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    bodyTimers = HeldTimers.of(MAX_BODY_MS);
    silence = HeldTimers.of(SILENT_MS);
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    const server = world.parley.app.getHttpServer() as Server;
    // Otherwise Node.js itself closes connections that have been answered.
    server.keepAliveTimeout = 0;
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
  });
  afterAll(async () => {
    await world.stop();
    silence.letGo();
    bodyTimers.letGo();
  });
  beforeEach(() => sockets.clear());
  afterEach(async () => {
    for (const connection of connections.splice(0)) connection.drop();
    await until('there is room again', async () => (await probe()).status === 401);
  });

  const open = async (): Promise<RawConnection> => {
    const connection = await RawConnection.open(world.baseUrl);
    connections.push(connection);
    return connection;
  };
  /** A callback with a wrong signature: 401 once its byte is read, 503 if there is no room for it. */
  const probe = () => postOnce(world, 'x', WRONG_SIGNATURE);
  const almost = Buffer.alloc(4 * MIB - 1, 'x');
  /** A callback of 4 MiB without its last byte. */
  const halfSent = async (): Promise<RawConnection> => {
    const connection = await open();
    connection.head('POST', PATH, { 'x-hub-signature-256': WRONG_SIGNATURE, 'content-length': 4 * MIB });
    connection.write(almost);
    return connection;
  };
  /** Waits until the server has read what this many half-sent callbacks have sent. */
  const untilRead = (count: number) =>
    until('all that was sent is read', () => {
      return [...sockets].filter(({ bytesRead }) => bytesRead > almost.length).length >= count;
    });
  const isFull = async (): Promise<boolean> => (await probe()).status === 503;
  const fill = async (): Promise<RawConnection[]> => {
    const held = await crowd(ROOM, halfSent);
    await untilRead(ROOM);
    await until('there is no room left', isFull);
    return held;
  };

  it.each([
    ['none', {}],
    ['a malformed one', { 'x-hub-signature-256': 'sha256=00' }],
  ])('are not read without a signature: %s is 401 immediately, and the connection stays usable', async (_, headers) => {
    const connection = await open();
    connection.head('POST', PATH, { ...headers, 'content-length': 100_000 });
    await until('the callback is refused', () => connection.statuses.length === 1);
    connection.write('x'.repeat(100_000));
    connection.head('GET', '/health/live', {});
    await until('the next request is answered', () => connection.statuses.length === 2);
    expect(connection.statuses).toEqual([401, 200]);
    expect(connection.text).toContain('"error":"unauthorized"');
  });

  it('may hold 64 MiB together: beyond that they are 503 unread, until there is room again', async () => {
    const held = await fill();
    const late = await open();
    late.head('POST', PATH, { 'x-hub-signature-256': WRONG_SIGNATURE, 'content-length': 2 * MIB });
    const unmeasured = await open();
    unmeasured.head('POST', PATH, { 'x-hub-signature-256': WRONG_SIGNATURE, 'transfer-encoding': 'chunked' });
    unmeasured.write('1\r\nx\r\n');
    for (const connection of [late, unmeasured]) {
      await until('the callback is refused', () => connection.statuses.length === 1);
      expect(connection.statuses).toEqual([503]);
      expect(connection.text).toMatch(/^retry-after: [1-9]/im);
      expect(connection.text).toContain('"error":"unavailable"');
    }
    late.write(Buffer.alloc(2 * MIB));
    unmeasured.write('0\r\n\r\n');
    for (const connection of [late, unmeasured]) {
      connection.head('GET', '/health/live', {});
      await until('the next request is answered', () => connection.statuses.length === 2);
      expect(connection.statuses).toEqual([503, 200]);
    }
    held[0]?.write('x');
    await until('there is room again', async () => (await probe()).status === 401);
    await until('it is answered', () => (held[0]?.statuses.length ?? 0) > 0);
    expect(held[0]?.statuses).toEqual([401]);
    expect(held.slice(1).flatMap(({ statuses }) => statuses)).toEqual([]);
  });

  it('make room when they fall silent: honest callbacks get through, however many others stall', async () => {
    expect(SILENT_MS).toBeGreaterThanOrEqual(1000);
    const body = JSON.stringify({ object: 'x'.repeat(3 * MIB) });
    const signature = `sha256=${createHmac('sha256', world.environment.network.appSecret).update(body).digest('hex')}`;
    const stalled = await crowd(60, halfSent);
    await untilRead(60);
    await until('there is no room left', isFull);
    const holding = () => stalled.filter(({ statuses }) => statuses.length === 0);
    expect(holding().length).toBeGreaterThanOrEqual(ROOM);
    silence.runOut();
    for (let count = 0; count < 10; count += 1) {
      expect((await postOnce(world, body, signature)).status).toBe(200);
    }
    const [dropped] = await until('a stalled one is answered', () => {
      const answered = stalled.filter(({ text }) => text.includes('stopped arriving'));
      return answered.length > 0 && answered;
    });
    expect(dropped?.statuses).toEqual([503]);
    expect(dropped?.text).toMatch(/^connection: close/im);
    expect(dropped?.text).toMatch(/^retry-after: [1-9]/im);
    // No more than it takes.
    expect(holding().length).toBeGreaterThanOrEqual(ROOM - 2);
    await world.unitOfWork.autocommit.affected(
      "DELETE FROM unhandled_callbacks WHERE account_id IS NULL AND length(body::text) > 1000000 AND body::text LIKE '%xxx%'",
    );
  });

  it('stay when they go on, while others fall silent', async () => {
    const held = await fill();
    silence.runOut();
    const [speaking, ...others] = held;
    speaking?.write('x');
    await until('it is answered', () => speaking?.statuses.length === 1);
    expect(speaking?.statuses).toEqual([401]);
    const one = await open();
    one.head('POST', PATH, { 'x-hub-signature-256': WRONG_SIGNATURE, 'content-length': 4 * MIB });
    one.write(almost);
    await until('it has room', () => one.flushed);
    expect((await postOnce(world, almost, WRONG_SIGNATURE)).status).toBe(401);
    expect(one.statuses).toEqual([]);
    await until('another one has made room', () => others.some(({ statuses }) => statuses[0] === 503));
  });

  it('count the bytes received, not the length announced', async () => {
    const announced = await crowd(4 * ROOM, open);
    for (const connection of announced) {
      connection.head('POST', PATH, { 'x-hub-signature-256': WRONG_SIGNATURE, 'content-length': 4 * MIB });
      connection.write('x');
    }
    expect((await postOnce(world, Buffer.alloc(2 * MIB), WRONG_SIGNATURE)).status).toBe(401);
    expect(announced.flatMap(({ statuses }) => statuses)).toEqual([]);
  });

  it('take no more memory in a great many chunks', async () => {
    const connection = await open();
    const before = memory();
    connection.head('POST', PATH, { 'x-hub-signature-256': WRONG_SIGNATURE, 'transfer-encoding': 'chunked' });
    connection.write(Buffer.from('1\r\nx\r\n'.repeat(MIB / 2)));
    await until('all is sent', () => connection.flushed);
    expect((await probe()).status).toBe(401);
    expect(memory() - before).toBeLessThan(20 * MIB);
    connection.write('0\r\n\r\n');
    await until('the callback is answered', () => connection.statuses.length === 1);
    expect(connection.statuses).toEqual([401]);
  });

  it('count until they are handled', async () => {
    const body = Buffer.alloc(4 * MIB, 'x');
    const signature = `sha256=${createHmac('sha256', world.environment.network.appSecret).update(body).digest('hex')}`;
    let isSeen = false;
    // Gives up waiting for the lock after a while, and comes again.
    const keepPosting = async (): Promise<number[]> => {
      const statuses: number[] = [];
      while (!isSeen) statuses.push((await postOnce(world, body, signature)).status);
      return statuses;
    };
    /** The statement that waits to store the callback, which has been received by then. */
    const storing = () =>
      world.unitOfWork.control.row<{ statement: string }>(
        `SELECT pid::text || ' ' || query_start::text AS statement FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query ~ 'INSERT INTO unhandled_callbacks'`,
      );
    await crowd(ROOM - 1, halfSent);
    await untilRead(ROOM - 1);
    const session = await ForeignSession.open(world.environment.databaseUrl);
    let posting: Promise<number[]> = Promise.resolve([]);
    try {
      await session.query('BEGIN');
      await session.query('LOCK TABLE unhandled_callbacks IN ACCESS EXCLUSIVE MODE');
      posting = keepPosting();
      await until('it takes the last room while it waits', async () => {
        const before = await storing();
        const isCounted = before !== null && (await isFull());
        return isCounted && (await storing())?.statement === before.statement;
      });
    } finally {
      isSeen = true;
      await session.close();
    }
    const statuses = await posting;
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await until('there is room again', async () => (await probe()).status === 401);
    await world.unitOfWork.autocommit.affected(
      "DELETE FROM unhandled_callbacks WHERE account_id IS NULL AND length(body::text) > 1000000 AND body::text LIKE '\"xxx%'",
    );
  });

  it('free their room when clients disconnect', async () => {
    for (const connection of await fill()) connection.drop();
    await until('there is room again', async () => (await probe()).status === 401);
  });

  it('that stall hold at most 64 MiB for at most 30 seconds, and do not disturb other requests', async () => {
    const account = await world.account();
    const before = memory();
    const sent = await crowd(60, halfSent);
    await until(
      'those without room are refused',
      () => sent.filter(({ statuses }) => statuses[0] === 503).length >= 44,
    );
    // The rest of the refused bodies is still arriving, and is discarded.
    await until('only accepted bodies are held', () => {
      return sent.every(({ flushed }) => flushed) && memory() - before < 70 * MIB;
    });
    const phone_number = `4915${uniqueDigits().slice(-9)}`;
    expect((await account.api.post('/api/v1/contacts/', { phone_number, first_name: 'Ada' })).status).toBe(201);
    expect([MAX_BODY_MS, bodyTimers.running >= ROOM]).toEqual([30_000, true]);
    expect(sent.filter(({ closed }) => closed)).toEqual([]);
    bodyTimers.runOut();
    await until('every connection is answered and closed', () => sent.every(({ closed }) => closed));
    expect(new Set(sent.flatMap(({ statuses }) => statuses))).toEqual(new Set([408, 503]));
    const [late] = sent.filter(({ statuses }) => statuses[0] === 408);
    expect(late?.text).toMatch(/^connection: close/im);
    expect(late?.text).toContain('"error":"request_timeout"');
    expect((await postOnce(world, Buffer.alloc(4 * MIB), WRONG_SIGNATURE)).status).toBe(401);
    await until('the memory is free again', () => memory() - before < 20 * MIB);
  });
});

/** Bytes in use by this process after a garbage collection. */
function memory(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
