// Makes keys and secrets of every kind, then calls every route of the router and looks for them in what it answers.
import { IssuedApiKeyResponse } from '../../src/api-keys/dto/api-key-responses.dto.js';
import { ShownOnce, shownOnceBy } from '../../src/http/shown-once.js';
import { IDEMPOTENT } from '../../src/idempotency/idempotent.decorator.js';
import { MANIFEST } from '../../src/rooms.js';
import { newRecordId } from '../../src/values/record-id.js';
import { isReplay } from '../idempotency/keys.js';
import { validPost } from '../idempotency/valid-posts.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { withExtensions } from '../support/extension-records.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES as FILES, typeHeader } from '../support/media-samples.js';
import type { TenantRecords } from '../support/module-records.js';
import { World } from '../support/world.js';
import { type DescribedRoute, pathOf, routesOf } from './routes.js';
import { ShownSecrets } from './shown-secrets.js';
import { SAMPLES, withRecords } from './tenant-records.js';

// Every route that changes something gets an account with records of every kind.
jest.setTimeout(600_000);

/** Names of fields that hold keys and secrets. */
const NAMES_SECRET = /(^|[._])(key|secret|token|password|credentials?|signature)$/;
/** Fields with such a name that hold neither. */
const NO_SECRETS = withExtensions('noSecrets', {
  api_key: 'the record of a key, without the key itself',
  must_set_password: 'whether one has to be chosen',
  'webhook.has_secret': 'whether there is one',
  'webhooks[].has_secret': 'whether there is one',
});
const ADMIN_TOKEN = 'the token of the queue board';
/** Routes that read and refuse API keys. */
const REFUSED: Readonly<Record<string, string>> = {
  'GET /network/callbacks': 'the network sends the verify token',
  'GET /network/callbacks/:app_id': 'the network sends the verify token',
  'GET /api/v1/messages/:message_id/media': 'the message has no file',
  'GET /api/v1/session': 'only people have sessions; what they show is tested in test/sessions',
  'GET /api/v1/sessions': 'only people have sessions',
  'GET /api/v1/stream': 'only people watch',
};
/** Pages outside the router. */
const OTHER_PAGES = ['/openapi.json', '/docs', '/admin/queues', '/admin/queues/api/queues'];

/** An account with records, keys and secrets of every kind. */
interface Filled {
  readonly records: TenantRecords;
  readonly secrets: ShownSecrets;
  /** May only read. */
  readonly reader: ApiClient;
  /** May do everything, as the account's first key. */
  readonly other: ApiClient;
  readonly idempotencyKey: string;
}

describe('keys and secrets', () => {
  let world: World;
  let files: LoopbackServer;
  let routes: DescribedRoute[];
  let marked: DescribedRoute[];

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api', ADMIN_TOKEN } });
    files = await LoopbackServer.start(
      (_, response) => void response.writeHead(200, typeHeader('.png')).end(FILES.PNG),
    );
    routes = routesOf(world);
    marked = routes.filter(({ handler }) => shownOnceBy(handler).length > 0);
  });
  afterAll(async () => {
    await files.stop();
    await world.stop();
  });

  /** Sends a valid request; a field of its body named `secret` gets a new value, which is known afterwards. */
  const send = async (
    client: ApiClient,
    route: DescribedRoute,
    { values }: TenantRecords,
    secrets: ShownSecrets,
    { headers = {}, isRepeated = false }: { headers?: Record<string, string>; isRepeated?: boolean } = {},
  ): Promise<string[]> => {
    const secret = `given-${newRecordId()}`;
    const body = { ...SAMPLES[route.key]?.(values), ...(route.inBody.includes('secret') ? { secret } : {}) };
    const isEmpty = route.method === 'GET' || (route.inBody.length === 0 && Object.keys(body).length === 0);
    const answer = await client.request<Record<string, unknown>>(
      route.method,
      pathOf(route, values),
      isEmpty ? undefined : body,
      { headers },
    );
    const faults = secrets.faultsOf(route, answer, isRepeated);
    if (route.method === 'GET' && answer.status !== 200 && !(route.key in REFUSED))
      faults.push(`${route.key} answers ${answer.status}`);
    if (route.inBody.includes('secret')) secrets.add(secret, `${route.key}, where it was given`);
    return faults;
  };

  /** Answers of the marked routes, first and repeated. */
  const fill = async (): Promise<Filled & { readonly faults: string[] }> => {
    const records = await withRecords(world, await world.account());
    const { account, values } = records;
    const secrets = new ShownSecrets();
    const [idempotencyKey, faults] = [newRecordId(), [] as string[]];
    const headers = { 'idempotency-key': idempotencyKey };
    const issue = async (name: string, scopes?: readonly string[]): Promise<ApiClient> => {
      const { status, text, body } = await account.api.post<{ key: string }>(
        '/api/v1/api-keys/',
        { name, scopes },
        { headers: { 'idempotency-key': newRecordId() } },
      );
      if (status !== 201) throw new Error(text);
      secrets.add(body.key, 'POST /api/v1/api-keys');
      return new ApiClient(world.baseUrl, body.key);
    };
    const reader = await issue(
      'reader',
      MANIFEST.scopes.filter((scope) => scope.endsWith(':read')),
    );
    const other = await issue(String(values['contact_phone']));
    secrets.add(account.apiKey, 'the first key of the account');
    for (const route of marked) {
      const post = await validPost(route, records, { world, pictureUrl: files.url('/a.png') });
      const again = (): Promise<ApiResponse> =>
        account.api.request('POST', post.path, undefined, {
          headers: {
            ...headers,
            'idempotency-key': `${idempotencyKey} ${route.key}`,
            'content-type': post.contentType,
          },
          ...(post.body === undefined ? {} : { raw: post.body }),
        });
      const first = await again();
      faults.push(...secrets.faultsOf(route, first));
      const repeated = await again();
      faults.push(...secrets.faultsOf(route, repeated, true));
      if (!isReplay(repeated) || repeated.text !== first.text) faults.push(`${route.key} does not repeat its answer`);
    }
    await secrets.addSealed(world, account);
    return { records, secrets, reader, other, idempotencyKey, faults };
  };

  it('are marked where a POST shows them, and repeated to the same key under the same Idempotency-Key', async () => {
    expect(marked.map(({ key }) => key)).toEqual(
      expect.arrayContaining([
        'POST /api/v1/api-keys',
        'POST /api/v1/api-keys/:key_id/rotate',
        'POST /api/v1/webhooks/:webhook_id/rotate-secret',
      ]),
    );
    const { faults, secrets } = await fill();
    expect(faults).toEqual([]);
    expect(secrets.values.length).toBeGreaterThan(5);
  });

  it('are marked only on POSTs that keep their answer for a repetition', () => {
    const wrong = marked.filter(
      ({ method, handler }) => method !== 'POST' || !Reflect.hasMetadata(IDEMPOTENT, handler),
    );
    expect(wrong.map(({ key }) => key)).toEqual([]);
  });

  it('are marked in every field of an answer that is named like one', () => {
    const suspects = routes.flatMap(({ key, handler, inAnswer }) =>
      inAnswer
        .filter((name) => NAMES_SECRET.test(name) && !(name in NO_SECRETS) && !shownOnceBy(handler).includes(name))
        .map(
          (name) =>
            `${key}: mark ${name} with @ShownOnce, or say what it is in NO_SECRETS, or in noSecrets of an extension`,
        ),
    );
    expect(suspects).toEqual([]);
  });

  it('are shown by no route that reads, and on no other page', async () => {
    const { records, secrets, reader, other } = await fill();
    const faults: string[] = [];
    const reading = routes.filter(({ method }) => method === 'GET');
    expect(reading.length).toBeGreaterThan(25);
    for (const client of [records.account.api, reader, other]) {
      for (const route of reading) faults.push(...(await send(client, route, records, secrets)));
    }
    const exported = await reader.get(`/api/v1/contacts/${records.values['contact_id']}/export`);
    expect(exported.text).toContain(`"name":"${records.values['contact_phone']}"`);
    for (const page of OTHER_PAGES) {
      const authorization = `Basic ${Buffer.from(`ops:${ADMIN_TOKEN}`).toString('base64')}`;
      const response = await fetch(world.baseUrl + page, { headers: { authorization } });
      expect([page, response.status]).toEqual([page, 200]);
      // They may have examples in the format of keys and secrets.
      faults.push(...secrets.knownIn(page, await response.text()));
    }
    expect(faults).toEqual([]);
  });

  it('are shown by no route that changes anything, whoever repeats a request under whatever key', async () => {
    const faults: string[] = [];
    const changing = routes.filter(({ method }) => method !== 'GET');
    expect(changing.length).toBeGreaterThan(30);
    for (const route of changing) {
      const { records, secrets, reader, other, idempotencyKey } = await fill();
      if (route.method === 'POST') await validPost(route, records, { world, pictureUrl: files.url('/a.png') });
      const headers = { 'idempotency-key': `${idempotencyKey} ${route.key}` };
      // Another key gets an error or something new. It may repeat that, and the first key what it was shown.
      for (const [client, isRepeated] of [
        [reader, false],
        [other, false],
        [other, true],
        [records.account.api, true],
      ] as const) {
        faults.push(...(await send(client, route, records, secrets, { headers, isRepeated })));
      }
    }
    expect(faults).toEqual([]);
  });

  it('are found by this test when a field that shows one is not marked', async () => {
    const marks = Reflect.getMetadataKeys(IssuedApiKeyResponse.prototype);
    for (const mark of marks.filter((name) => name === 'parley:shown-once')) {
      Reflect.deleteMetadata(mark, IssuedApiKeyResponse.prototype);
    }
    try {
      const route = routes.find(({ key }) => key === 'POST /api/v1/api-keys');
      if (route === undefined) throw new Error('there is no such route');
      expect(shownOnceBy(route.handler)).toEqual([]);
      const records = await withRecords(world, await world.account());
      expect(await send(records.account.api, route, records, new ShownSecrets())).toEqual([
        'POST /api/v1/api-keys shows a key or a secret in a field without @ShownOnce',
      ]);
    } finally {
      ShownOnce()(IssuedApiKeyResponse.prototype, 'key');
    }
  });

  it('are found by this test in the answer of any route', () => {
    const secrets = new ShownSecrets();
    secrets.add('a "quoted" secret', 'somewhere');
    const answer = { status: 200, body: {}, text: JSON.stringify({ note: ['a "quoted" secret'] }) };
    expect(secrets.faultsOf({ key: 'GET /x', handler: () => undefined }, answer)).toEqual([
      'GET /x shows a value of somewhere',
    ]);
  });
});
