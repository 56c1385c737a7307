import { newRecordId } from '../../src/values/record-id.js';
import { freshDatabase } from '../support/database.js';
import type { TenantRecords } from '../support/module-records.js';
import { TENANT_TABLES } from '../support/tenancy-tables.js';
import { uniquePhone, World } from '../support/world.js';
import { type DescribedRoute, pathOf, routesOf } from './routes.js';
import { gapsIn, NESTED, REFERENCES, SAMPLES, withRecords } from './tenant-records.js';

/** Where a request refers to a record. */
interface Reference {
  readonly place: 'path' | 'query' | 'body';
  readonly name: string;
  readonly kind: string;
}

const referencesOf = ({ inPath, inQuery, inBody }: DescribedRoute): Reference[] =>
  (
    [
      ['path', inPath],
      ['query', inQuery],
      ['body', inBody],
    ] as const
  ).flatMap(([place, names]) =>
    names.flatMap((name) => {
      const kind = REFERENCES[name];
      return kind === undefined ? [] : [{ place, name, kind }];
    }),
  );

/** A value that nobody has. */
const unknownOf = (kind: string): string => {
  if (kind === 'contact_phone') return uniquePhone();
  return kind === 'template_name' ? `t_${newRecordId().slice(-10)}` : newRecordId();
};

/** Hides what differs between any two answers: the value asked for, new ids and times. */
const comparable = (text: string, value: string): string =>
  text
    .replaceAll(value, '<asked>')
    .replace(/User #\d+/g, '<name>')
    .replace(/wamid\.[\w=+/-]+/g, '<wamid>')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '<time>');

describe('a record of another account', () => {
  let world: World;
  let routes: DescribedRoute[];
  let mine: TenantRecords;
  /** The owners of the foreign records; only a sibling is in the same organisation. */
  let others: readonly (readonly [owner: 'stranger' | 'sibling', records: TenantRecords])[];

  beforeAll(async () => {
    world = await World.start({ databaseUrl: await freshDatabase(), env: { PARLEY_ROLES: 'api' } });
    routes = routesOf(world).filter(({ access }) => access.kind === 'scope');
    mine = await withRecords(world, await world.account());
    const sibling = await world.account();
    const { autocommit } = world.unitOfWork;
    const { organisationId } = mine.account;
    await autocommit.affected('UPDATE users SET organisation_id = $1 WHERE id = $2', [organisationId, sibling.ownerId]);
    await autocommit.affected('UPDATE accounts SET organisation_id = $1 WHERE id = $2', [
      organisationId,
      sibling.accountId,
    ]);
    others = [
      ['stranger', await withRecords(world, await world.account())],
      ['sibling', await withRecords(world, { ...sibling, organisationId })],
    ];
  });
  afterAll(() => world.stop());

  const ask = (route: DescribedRoute, reference?: Reference, value = '') => {
    const { values, account } = mine;
    const body = SAMPLES[route.key]?.(values);
    const path = pathOf(route, reference?.place === 'path' ? { ...values, [reference.name]: value } : values);
    if (body !== undefined && reference?.place === 'body') {
      const { name } = reference;
      Object.assign(body, NESTED[name]?.(value) ?? { [name]: name.endsWith('s') ? [value] : value });
    }
    const query = reference?.place === 'query' ? `?${reference.name}=${encodeURIComponent(value)}` : '';
    return account.api.request<Record<string, unknown>>(route.method, path + query, body);
  };

  /** Everything stored about an account, and what the network got from its phone. */
  const snapshotOf = async ({ account: { accountId, phone } }: TenantRecords) => {
    const digests: Record<string, unknown> = { ledger: await world.simulator.ledger(phone.phoneNumberId) };
    for (const table of TENANT_TABLES) {
      const row = await world.unitOfWork.autocommit.row<{ digest: string | null }>(
        // When a key was used last is written later, after the requests that set the account up.
        `SELECT md5(string_agg(r.fields, '' ORDER BY r.fields)) AS digest
         FROM (SELECT (to_jsonb(t) - 'last_used_at')::text AS fields FROM ${table} t WHERE account_id = $1) r`,
        [accountId],
      );
      digests[table] = row?.digest;
    }
    return digests;
  };

  it('can be referred to only in ways that this test knows', () => {
    expect(gapsIn(routes)).toEqual([]);
  });

  it('answers like one that does not exist, on every route, and stays as it is', async () => {
    const before = await Promise.all(others.map(([, records]) => snapshotOf(records)));
    const faults: unknown[] = [];
    // One unknown value of each kind per owner: what requests do to it must be what they do to the foreign one.
    const unknowns = new Map<string, string>();
    let asked = 0;
    for (const route of routes) {
      for (const reference of referencesOf(route)) {
        const { place, kind, name } = reference;
        for (const [owner, { values }] of others) {
          // Agents belong to the organisation, which siblings share.
          if (kind === 'user_id' && owner === 'sibling') continue;
          const [value, nobodys] = [String(values[kind]), unknowns.get(`${owner} ${kind}`) ?? unknownOf(kind)];
          unknowns.set(`${owner} ${kind}`, nobodys);
          const unknown = await ask(route, reference, nobodys);
          const foreign = await ask(route, reference, value);
          asked += 1;
          const found = `${foreign.status} ${comparable(foreign.text, value)}`;
          const wanted = `${unknown.status} ${comparable(unknown.text, nobodys)}`;
          const leaks = Object.values(values).filter((each) => each !== value && foreign.text.includes(each));
          // A phone number is nobody's: the account may write to it. A filter that matches nothing lists nothing.
          const free = kind === 'contact_phone' || (place === 'query' && kind !== 'waba_phone_id');
          const denied = foreign.status === (kind === 'waba_phone_id' && place !== 'path' ? 403 : 404);
          if (found !== wanted || leaks.length > 0 || !(free || denied)) {
            faults.push({ route: route.key, owner, place, name, found, wanted, leaks });
          }
        }
      }
    }
    expect(faults).toEqual([]);
    expect(asked).toBeGreaterThan(100);
    expect(await Promise.all(others.map(([, records]) => snapshotOf(records)))).toEqual(before);
  });

  it('differs from one’s own, which every route finds', async () => {
    const rank = ({ method, path }: DescribedRoute) => (method === 'DELETE' ? 1000 - path.length : 0);
    for (const route of routes.toSorted((one, other) => rank(one) - rank(other))) {
      if (referencesOf(route).length === 0) continue;
      // The message of the test has no file; test/media has those of messages that have one.
      if (route.key === 'GET /api/v1/messages/:message_id/media') continue;
      const { status, text } = await ask(route);
      expect({ route: route.key, text, found: status < 500 && status !== 403 && status !== 404 }).toMatchObject({
        found: true,
      });
    }
  });
});
