import { createHmac } from 'node:crypto';
import { Agent, request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { newRecordId } from '../../src/values/record-id.js';
import { crowdOf } from '../support/crowd.js';
import { freshDatabase } from '../support/database.js';
import type { TenantRecords } from '../support/module-records.js';
import { World } from '../support/world.js';
import { HUGE_NUMBERS, type OddRequest, oddRequests } from './odd-requests.js';
import { type DescribedRoute, routesOf } from './routes.js';
import { gapsIn, SAMPLES, withRecords } from './tenant-records.js';

const SEED = Number(process.env.FUZZ_SEED ?? 20_260_131);
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 5000);
const AT_ONCE = 8;
/** How long one answer may take on a busy machine, in milliseconds: ten times what the service allows itself. */
const MAX_ANSWER_MS = 100_000;
/** How long a request is repeated that the service refuses for now, milliseconds. */
const PATIENCE_MS = 60_000;
/** Words of libraries, the database and JavaScript that no message may pass on. */
const INTERNAL =
  /\[object|got undefined|not undefined|Cannot read|is not a function|is not iterable|invalid input syntax|violates|out of range for type/;

/** A request as it is sent. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sets the field at a path such as `buttons[].url`, making what leads to it. */
function setField(target: unknown, path: string, value: unknown): void {
  const [head = '', ...rest] = path.split('.');
  if (typeof target !== 'object' || target === null) return;
  const name = head.replace(/(\[\])+$/, '');
  const record = target as Record<string, unknown>;
  if (rest.length === 0) {
    record[name] = head.endsWith('[]') ? [value] : value;
    return;
  }
  const inner = record[name];
  const next = typeof inner === 'object' && inner !== null ? inner : head.endsWith('[]') ? [{}] : {};
  record[name] = next;
  setField(Array.isArray(next) ? next[0] : next, rest.join('.'), value);
}

const decoded = (bytes: Buffer, encoding: string | undefined): Buffer => {
  if (bytes.length === 0 || encoding === undefined) return bytes;
  return encoding === 'br' ? brotliDecompressSync(bytes) : gunzipSync(bytes);
};

/** What is wrong with an answer, or null. */
function faultOf({ status, headers, text }: Answer): string | null {
  if (status >= 500) return 'a 5xx';
  if (typeof headers['x-request-id'] !== 'string' || headers['x-request-id'] === '') return 'no X-Request-Id';
  const isJson = String(headers['content-type']).startsWith('application/json');
  let body: unknown;
  try {
    body = isJson ? JSON.parse(text) : undefined;
  } catch {
    return 'not JSON';
  }
  if (status < 400)
    return isJson || status === 204 || /^text\/(csv|plain)/.test(String(headers['content-type']))
      ? null
      : 'an odd success';
  const fields = Object.entries((body ?? {}) as Record<string, unknown>);
  const names = fields.map(([name]) => name).sort();
  if (!(names.join() === 'error,message' || names.join() === 'detail')) return 'neither envelope';
  if (fields.some(([, value]) => typeof value !== 'string' || value === '')) return 'an envelope without text';
  return INTERNAL.test(text) ? 'a message that tells internals' : null;
}

describe('5,000 odd requests', () => {
  let world: World;
  let routes: DescribedRoute[];
  let tenants: TenantRecords[];
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  beforeAll(async () => {
    // A 5xx is logged with its cause.
    const env = { PARLEY_ROLES: 'api', LOG_LEVEL: 'error' };
    world = await World.start({ databaseUrl: await freshDatabase(), env });
    routes = routesOf(world).toSorted((one, other) => (one.key < other.key ? -1 : 1));
    tenants = [];
    for (let count = 0; count < 4; count += 1) tenants.push(await withRecords(world, await world.account()));
  });
  afterAll(async () => {
    agent.destroy();
    await world.stop();
  });

  const bodyOf = (odd: OddRequest, route: DescribedRoute, { values }: TenantRecords): string | undefined => {
    if (odd.raw !== undefined) return odd.raw;
    if (route.method === 'GET' && odd.changes.length < 3) return undefined;
    const body = SAMPLES[route.key]?.(values) ?? {};
    for (const { field, value } of odd.changes) {
      const name = route.inBody[field % Math.max(1, route.inBody.length)] ?? 'unknown';
      setField(body, name, value);
    }
    return JSON.stringify(body).replace(
      /"(<(?:-?1e999|-0|many digits)>)"/g,
      (_, name: string) => HUGE_NUMBERS[name] ?? '0',
    );
  };

  const build = (odd: OddRequest, index: number): Sent => {
    const route = routes[odd.route % routes.length] as DescribedRoute;
    const tenant = tenants[odd.tenant % tenants.length] as TenantRecords;
    const [first] = route.inPath;
    // Most deletions are of nothing, so that later requests still find their records.
    const spared = route.method === 'DELETE' && route.inBody.length === 0 && index % 20 > 0;
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
      if (odd.segment !== undefined && name === first) return odd.segment;
      return spared ? newRecordId() : String(tenant.values[name]);
    });
    const query = odd.query.map(({ field, text }) => {
      const names = [...route.inQuery, 'page', '__proto__', 'hub.mode'];
      return `${names[field % names.length]}${text}`;
    });
    const text = bodyOf(odd, route, tenant);
    const body = text === undefined ? undefined : Buffer.from(text, index % 50 === 0 ? 'latin1' : 'utf8');
    const signature = createHmac('sha256', world.environment.network.appSecret)
      .update(body ?? '')
      .digest('hex');
    return {
      method: route.method,
      path: query.length === 0 ? path : `${path}?${query.join('&')}`,
      headers: {
        ...(route.access.kind === 'public'
          ? { 'x-hub-signature-256': `sha256=${signature}` }
          : { authorization: `Bearer ${tenant.account.apiKey}` }),
        ...(body === undefined ? {} : { 'content-length': String(body.length) }),
        ...(odd.contentType === '' ? {} : { 'content-type': odd.contentType ?? 'application/json' }),
        ...(odd.idempotencyKey === undefined ? {} : { 'idempotency-key': odd.idempotencyKey }),
        ...odd.headers,
      },
      body,
    };
  };

  /** Sends a request, again when the service refuses it for now, as any client would. */
  const send = async (request: Sent): Promise<Answer> => {
    const until = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = await once(request);
      const seconds = Number(answer.headers['retry-after']);
      const isRefused = answer.status === 503 && answer.text.startsWith('{"error":"unavailable"') && seconds > 0;
      if (!isRefused || performance.now() >= until) return answer;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  };
  const once = ({ method, path, headers, body }: Sent): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        new URL(world.baseUrl),
        { method, path, headers, agent, timeout: MAX_ANSWER_MS },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              text: decoded(Buffer.concat(chunks), response.headers['content-encoding']).toString('utf8'),
            }),
          );
        },
      );
      outgoing.once('timeout', () => outgoing.destroy(new Error(`no answer within ${MAX_ANSWER_MS} ms`)));
      outgoing.once('error', reject);
      outgoing.end(body);
    });

  it(`get no 5xx, no other envelope and an X-Request-Id (FUZZ_SEED=${SEED})`, async () => {
    expect(gapsIn(routes)).toEqual([]);
    const faults: unknown[] = [];
    const statuses = new Map<number, number>();
    const ask = async (odd: OddRequest, index: number): Promise<void> => {
      const request = build(odd, index);
      const note = (fault: string, answer?: Answer) => {
        const { method, path, headers: all, body } = request;
        const { authorization: _, ...headers } = all;
        const shown = { method, path: path.slice(0, 300), headers, body: body?.toString('utf8').slice(0, 600) };
        faults.push({ index, fault, ...shown, status: answer?.status, answer: answer?.text.slice(0, 300) });
      };
      try {
        const answer = await send(request);
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const fault = faultOf(answer);
        if (fault !== null) note(fault, answer);
      } catch (error) {
        note((error as Error).message);
      }
    };
    await crowdOf(oddRequests(SEED, REQUESTS), ask, AT_ONCE);
    expect(faults.slice(0, 20)).toEqual([]);
    // Enough requests must get past the checks of shape for the run to mean something.
    expect([...statuses].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(
      REQUESTS / 10,
    );
  }, 600_000);
});
