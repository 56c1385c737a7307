// Sends a valid request to every POST route with an Idempotency-Key, leaves the key as a process leaves it that dies
// after its last commit and before it stores its answer, and repeats the request. The routes come from the router.
// Callbacks of the network carry no key; test/inbound sends them twice.
import { IDEMPOTENT } from '../../src/idempotency/idempotent.decorator.js';
import { type DescribedRoute, routesOf } from '../http/routes.js';
import { gapsIn, withRecords } from '../http/tenant-records.js';
import type { ApiResponse } from '../support/api-client.js';
import { freshDatabase } from '../support/database.js';
import { LoopbackServer } from '../support/loopback-server.js';
import { SAMPLES as FILES, typeHeader } from '../support/media-samples.js';
import type { TenantRecords } from '../support/module-records.js';
import { World } from '../support/world.js';
import { InsertedRows, inWords } from './inserted-rows.js';
import { isReplay, killOwner, uniqueKey } from './keys.js';
import { howToPrepare, type ValidPost, validPost } from './valid-posts.js';

/** Tables that the first request may write before the transaction with its record, and why that is harmless. */
const BEFORE_THE_RECORD: Readonly<Record<string, string>> = {
  idempotency_keys: 'the key is claimed before the handler runs',
  unhandled_callbacks: 'the network may report the review of a template before it is stored',
  template_looks: 'notes that the template is in use: one row for each template, however often it is noted',
};

/** What a recovered answer may do differently, and why. */
interface Difference {
  readonly fields: readonly string[];
  readonly why: string;
  /** The table to which it adds a row. */
  readonly adds?: string;
}

/** Only the hash of a secret is stored, so the answer has another one, and issuing that is audited. */
const NEW_SECRET: Difference = { fields: ['key', 'prefix'], why: 'only the hash is stored', adds: 'audit_entries' };

const DIFFERENT: Readonly<Record<string, Difference>> = {
  'POST /api/v1/api-keys': NEW_SECRET,
  'POST /api/v1/business-phones/connect': { fields: ['found'], why: 'the checks are made again' },
  'POST /api/v1/templates/create': { fields: ['meta_status'], why: 'the review may be over by now' },
  'POST /api/v1/templates/create-carousel': { fields: ['meta_status'], why: 'the review may be over by now' },
  'POST /api/v1/api-keys/:key_id/rotate': NEW_SECRET,
};

const ALSO = 'call noteRecordOfKey in the transaction that makes the change';

/** The answer without times and the fields that may differ. */
const comparable = ({ key }: DescribedRoute, { body }: ApiResponse): string =>
  JSON.stringify(body, (name, value) => {
    if (DIFFERENT[key]?.fields.includes(name)) return '<different>';
    return typeof value === 'string' ? value.replace(/^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)?$/, '<time>') : value;
  });

describe('a POST whose process died before it answered', () => {
  let world: World;
  let files: LoopbackServer;
  let inserted: InsertedRows;
  let posts: DescribedRoute[];

  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase(), env: { PARLEY_ROLES: 'api' } });
    files = await LoopbackServer.start(
      (_, response) => void response.writeHead(200, typeHeader('.png')).end(FILES.PNG),
    );
    inserted = await InsertedRows.observe(world);
    posts = routesOf(world).filter(({ method, access }) => method === 'POST' && access.kind === 'scope');
  });
  afterAll(async () => {
    await files.stop();
    await world.stop();
  });

  /** What is wrong with a route, with what to do about it. */
  const faultsOf = async (route: DescribedRoute): Promise<string[]> => {
    await world.simulator.behave({ review: 'auto' });
    const records = await withRecords(world, await world.account());
    const { account } = records;
    const post = await validPost(route, records, { world, pictureUrl: files.url('/a.png') });
    const key = uniqueKey();
    // The network reviews no template by itself between the two requests, which would make rows, too.
    await world.simulator.behave({ review: 'manual' });
    await inserted.take(account.accountId);

    const first = await send(records, post, key);
    if (first.status >= 300) return [howToPrepare(route, first)];
    const made = await inserted.take(account.accountId);
    const sent = await sentBy(records);
    await killOwner(world, account, key);
    const again = await send(records, post, key);
    const second = (await inserted.take(account.accountId)).filter(({ table }) => table !== DIFFERENT[route.key]?.adds);

    const faults: string[] = [];
    const fault = (what: string) => faults.push(`${route.key} ${what}`);
    const recovers = Reflect.getMetadata(IDEMPOTENT, route.handler) !== null;
    if (second.length > 0) {
      fault(`makes rows again when it is repeated (${inWords(second)}): declare @Idempotent({ recover }), ${ALSO}`);
    }
    const early = made.filter(({ table, beforeNote }) => beforeNote && !(table in BEFORE_THE_RECORD));
    if (recovers && isReplay(again) && early.length > 0) {
      fault(
        `makes rows (${inWords(early)}) in another transaction before noteRecordOfKey: create them in the same one`,
      );
    }
    if ((await sentBy(records)) !== sent) fault('sends a message again when it is repeated');
    if (again.status !== first.status) fault(`answers ${again.status} (${again.text}) instead of ${first.status}`);
    else if (recovers && comparable(route, again) !== comparable(route, first)) {
      fault(`answers ${again.text} instead of ${first.text}`);
    }
    if (isReplay(again) !== recovers) {
      fault(
        recovers
          ? `runs again although it declares @Idempotent({ recover }): ${ALSO}`
          : 'answers with Idempotency-Replayed although it ran again',
      );
    }
    const third = await send(records, post, key);
    if (third.text !== again.text || !isReplay(third)) fault(`does not keep its second answer: ${third.text}`);
    return faults;
  };

  const send = ({ account }: TenantRecords, { path, contentType, body }: ValidPost, key: string) =>
    account.api.request<Record<string, unknown>>('POST', path, undefined, {
      headers: { 'idempotency-key': key, ...(body === undefined ? {} : { 'content-type': contentType }) },
      ...(body === undefined ? {} : { raw: body }),
    });
  const sentBy = async ({ account }: TenantRecords) =>
    (await world.simulator.ledger(account.phone.phoneNumberId)).length;

  it('is known to this test, with a valid request', () => {
    expect(gapsIn(posts)).toEqual([]);
    expect(posts.length).toBeGreaterThan(20);
  });

  it('makes no second row when it is repeated, and answers as its route declares', async () => {
    const faults: string[] = [];
    for (const route of posts) faults.push(...(await faultsOf(route)));
    expect(faults).toEqual([]);
  });
});
