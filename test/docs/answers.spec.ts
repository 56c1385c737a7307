import { describeApi } from '../../src/api-description/describe-api.js';
import { recordedExamples } from '../../src/api-description/recorded-examples.js';
import { EXAMPLE_ID, EXAMPLE_IDS, EXAMPLE_PHONE } from '../../src/manifest/room-examples.js';
import { MANIFEST } from '../../src/rooms.js';
import { type DescribedRoute, pathOf, routesOf } from '../http/routes.js';
import { REFERENCES, SAMPLES, withRecords } from '../http/tenant-records.js';
import { validPost } from '../idempotency/valid-posts.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES as FILES, typeHeader } from '../support/media-samples.js';
import type { TenantRecords } from '../support/module-records.js';
import { World } from '../support/world.js';
import { recordExamples } from './samples.js';

/** Answers of these are no JSON, or are those of a machine. */
const WITHOUT_EXAMPLE = /^(?:health|metrics|network|openApi|session)\.|^messages\.getMedia$/;
/** Values that differ in every run, and what stands for them. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/(?<="prefix":")pk_live_[\w-]+/g, 'pk_live_5f1c0a7b'],
  [/(?<="key":")pk_live_[\w-]+/g, 'pk_live_5f1c0a7be2d94c38a6e01b7f4d52c9e8'],
  [/\bagent-[\w-]+@example\.test/g, 'ben@example.com'],
  [/\bowner-[\w-]+@example\.test/g, 'olive@example.com'],
  [/\bAgent of ACCOUNT\b/g, 'Ben Agent'],
  [/\bGroup of ACCOUNT\b/g, 'Newsletter'],
  [/\bACCOUNT\b/g, 'Lorenzen'],
  [/http:\/\/127\.0\.0\.1:1\b[\w/]*/g, 'https://example.com/webhooks'],
  [/\b127\.0\.0\.1\b/g, '203.0.113.7'],
  [/\bwhsec_[\w+/=]+/g, 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'],
  [/\bwamid\.[\w+/=-]+/g, 'wamid.HBgNNDkxNTEyMzQ1Njc4ORUCABEYEjQ'],
];
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const SHOWN_IDS = [EXAMPLE_ID, ...EXAMPLE_IDS];
const TIME = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/g;
/** What the examples call the records whose names are chosen here. */
const NAMES: Readonly<Record<string, string>> = { contact_phone: EXAMPLE_PHONE, template_name: 'order_update' };

/** What else must be there, beside the records of test/http/tenant-records.ts. */
const READY: Readonly<Record<string, (records: TenantRecords) => Promise<unknown>>> = {
  'webhooks.cancelReplay': ({ account, values }) =>
    account.api.post(`/api/v1/webhooks/${values.webhook_id}/replay`, { since: new Date(Date.now() - 60_000) }),
};

/** The fields of a value and their types, at any depth; of a list those of its first entry. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shapeOf(part)]));
}

describe('the examples of answers', () => {
  let world: World;
  let files: LoopbackServer;

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    files = await LoopbackServer.start(
      (_, response) => void response.writeHead(200, typeHeader('.png')).end(FILES.PNG),
    );
  });
  afterAll(async () => {
    await files.stop();
    await world.stop();
  });

  /** The body that a route is described with, about records of the account. */
  function bodyOf({ key }: DescribedRoute, operationId: string, { values }: TenantRecords): unknown {
    const [example] = Object.values(MANIFEST.examples.requests[operationId] ?? {});
    if (example === undefined) return SAMPLES[key]?.(values);
    return JSON.parse(JSON.stringify(example.value), (name, value) => {
      const own = values[REFERENCES[name] ?? ''];
      return own === undefined ? value : Array.isArray(value) ? [own] : own;
    });
  }

  it('are as Parley answers the examples of requests', async () => {
    const { paths } = describeApi(world.parley.app);
    const recorded: Record<string, unknown> = {};
    const failed: string[] = [];
    for (const route of routesOf(world)) {
      const described =
        paths[route.path.replace(/:(\w+)/g, '{$1}')] ?? paths[`${route.path.replace(/:(\w+)/g, '{$1}')}/`];
      const operation = described?.[route.method.toLowerCase()];
      if (operation === undefined || WITHOUT_EXAMPLE.test(operation.operationId)) continue;
      const { operationId } = operation;
      const records = await recordsFor(route);
      const { api } = records.account;
      const prepared =
        route.method === 'POST' ? await validPost(route, records, { world, pictureUrl: files.url('/a.png') }) : null;
      const body = bodyOf(route, operationId, records);
      await READY[operationId]?.(records);
      let answer = await api.request<unknown>(route.method, pathOf(route, records.values), body as object | undefined);
      if (answer.status > 299 && prepared !== null) {
        const { path, contentType, body: raw } = prepared;
        const more = raw === undefined ? {} : { raw };
        answer = await api.request('POST', path, undefined, { headers: { 'content-type': contentType }, ...more });
      }
      if (answer.status > 299) failed.push(`${operationId} answers ${answer.status}: ${answer.text}`);
      else if (answer.text.startsWith('{')) recorded[operationId] = exampleOf(answer.text, records);
    }
    expect(failed).toEqual([]);
    if (process.env['RECORD_SAMPLES']) recordExamples({ answers: recorded as Record<string, object> });
    const shapes = shapeOf(recordedExamples().answers) as object;
    // Extensions add routes, and fields to answers of the core.
    if (process.env['EXTENSIONS_DIR'] === undefined) expect(shapeOf(recorded)).toEqual(shapes);
    else expect(shapeOf(recorded)).toMatchObject(shapes);
  });

  let shared: TenantRecords | undefined;
  /** Reading and adding leave the records of an account as they are. */
  async function recordsFor({ method, path }: DescribedRoute): Promise<TenantRecords> {
    const changes = method !== 'GET' && path.includes(':');
    if (changes) return withRecords(world, await world.account({ scopes: ['*'], rateLimit: 10_000 }));
    shared ??= await withRecords(world, await world.account({ scopes: ['*'], rateLimit: 10_000 }));
    return shared;
  }

  /** An answer with fixed ids, times and names. */
  function exampleOf(text: string, { account, values }: TenantRecords): unknown {
    let fixed = text.replaceAll(account.accountId, 'ACCOUNT');
    for (const [of, given] of Object.entries(NAMES)) fixed = fixed.replaceAll(values[of] ?? '', given);
    for (const [pattern, given] of VARYING) fixed = fixed.replace(pattern, given);
    const ids = new Map<string, string>();
    const idFor = (id: string): string => {
      if (!ids.has(id)) ids.set(id, SHOWN_IDS[ids.size % SHOWN_IDS.length] ?? '');
      return ids.get(id) ?? '';
    };
    return JSON.parse(fixed.replace(UUID, idFor).replace(TIME, '2026-01-31T09:30:00.000'));
  }
});
