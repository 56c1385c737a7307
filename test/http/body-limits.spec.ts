import { crowdOf } from '../support/crowd.js';
import { World } from '../support/world.js';
import {
  changed,
  type DescribedBody,
  describedBodies,
  fieldsOf,
  isHollow,
  named,
  type Place,
  placesOf,
  type Schema,
  valueAt,
  withFreshName,
} from './described-bodies.js';
import { FULL_BODIES, UNUSED_BY_ROUTE } from './full-bodies.js';
import { pathOf, routesOf } from './routes.js';
import { withRecords } from './tenant-records.js';

/** One limit of one field: bodies at it and beyond it, and what a refusal must say. */
interface Limit {
  readonly title: string;
  readonly at: object | null;
  readonly beyond: object;
  /** What the refusal names. */
  readonly names: readonly string[];
}

/** The text of a field without a documented length; none may be refused for its length. */
const LONG = 'x'.repeat(20_000);
/** Entries of a list without a documented size, as few as a body of 1 MB and 20,000 values allows. */
const MANY = 2000;
const HUGE = 1e15;

/** A value that a field must take unless its schema documents the limit, and what a refusal for that limit would say. */
interface Unlimited {
  readonly limit: string;
  readonly value: unknown;
  readonly refusal: RegExp;
}

/** The values at which a field would be refused if it kept a limit that its schema does not document. */
function* unlimitedOf(schema: Schema, value: unknown): Generator<Unlimited> {
  const types = [schema.type].flat();
  const fixed = schema.enum !== undefined || schema.format !== undefined;
  if (types.includes('string') && typeof value === 'string' && !fixed) {
    if (schema.maxLength === undefined) yield { limit: 'maxLength', value: LONG, refusal: /at most|characters/ };
    if (schema.minLength === undefined && schema.pattern === undefined) {
      yield { limit: 'minLength', value: '', refusal: /required|blank|empty|at least/ };
    }
  }
  if (Array.isArray(value)) {
    if (schema.maxItems === undefined) {
      yield { limit: 'maxItems', value: repeated(value, MANY), refusal: /at most|\d to \d|too many/ };
    }
    if (schema.minItems === undefined) {
      yield { limit: 'minItems', value: [], refusal: /required|empty|at least|\d to \d/ };
    }
  }
  if ((types.includes('number') || types.includes('integer')) && typeof value === 'number') {
    const refusal = /from -?[\d,.]+ to|at least|at most|positive|between/;
    if (schema.minimum === undefined) yield { limit: 'minimum', value: -HUGE, refusal };
    if (schema.maximum === undefined) yield { limit: 'maximum', value: HUGE, refusal };
  }
}

const padded = (value: unknown, length: number): string =>
  typeof value === 'string' && value.length <= length && !value.endsWith('}}') && !value.endsWith(' ')
    ? value.padEnd(length, 'x')
    : 'x'.repeat(length);

const repeated = (value: unknown, count: number): unknown[] =>
  Array.from({ length: count }, () => structuredClone((value as unknown[])[0]));

/** The limits that a schema documents for the value in a place of a body. */
function* limitsOf(schema: Schema, body: object, place: Place): Generator<Limit> {
  const value = valueAt(body, place);
  const path = named(place);
  const limit = (kind: string, at: unknown, beyond: unknown, ...names: unknown[]): Limit => ({
    title: `${path} ${kind}`,
    at: at === undefined ? null : changed(body, place, at),
    beyond: changed(body, place, beyond),
    names: [path.replace(/\[\d+\]$/, ''), ...names.map(String)],
  });
  const { maxLength, minLength, minimum, maximum, minItems, maxItems, pattern, maxProperties } = schema;
  if (typeof maxLength === 'number') {
    yield limit('maxLength', padded(value, maxLength), padded(value, maxLength + 1), ...(pattern ? [] : [maxLength]));
  }
  if (minLength === 1) yield limit('minLength', undefined, '');
  if (typeof minimum === 'number') yield limit('minimum', minimum, minimum - 1, minimum);
  if (typeof maximum === 'number') yield limit('maximum', maximum, maximum + 1, maximum);
  if (typeof minItems === 'number') {
    // An empty list may count as none at all.
    const names = minItems > 1 ? [minItems] : [];
    yield limit('minItems', repeated(value, minItems), repeated(value, minItems - 1), ...names);
  }
  if (typeof maxItems === 'number') {
    yield limit('maxItems', repeated(value, maxItems), repeated(value, maxItems + 1), maxItems);
  }
  if (Array.isArray(schema.enum)) {
    for (const choice of schema.enum.filter((one) => one !== null)) yield limit(`enum ${choice}`, choice, 'no such');
  }
  if (typeof pattern === 'string') yield limit('pattern', value, '~ ~');
  if (typeof maxProperties === 'number') {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`x-${n}`, 'a']));
    yield limit('maxProperties', keys(maxProperties), keys(maxProperties + 1), maxProperties);
  }
  const nameLength = (schema.propertyNames as Schema | undefined)?.maxLength;
  if (typeof nameLength === 'number') {
    const key = (length: number) => ({ ['x'.repeat(length)]: 'a' });
    yield limit('propertyNames', key(nameLength), key(nameLength + 1), nameLength);
  }
  for (const name of (schema.required ?? []) as string[]) {
    const missing = changed(body, [...place, name], undefined);
    yield { title: `${named([...place, name])} required`, at: null, beyond: missing, names: [name] };
  }
}

describe('the limits of bodies', () => {
  let world: World;
  let bodies: DescribedBody[] = [];

  beforeAll(async () => {
    world = await World.start({ env: { PARLEY_ROLES: 'api' } });
    bodies = describedBodies(world);
  });
  afterAll(() => world.stop());

  it('are tested for every field of every body', () => {
    // Extensions have bodies of their own. Callbacks come from the network, and those of sessions from people.
    const keyed = routesOf(world).filter(({ access }) => access.kind === 'scope');
    const untested = keyed.filter(({ key, inBody }) => inBody.length > 0 && !(key in FULL_BODIES));
    if (process.env.EXTENSIONS_DIR === undefined) expect(untested.map(({ key }) => key)).toEqual([]);
    const missing = bodies.flatMap(({ route, schema }) => {
      const own = new Proxy({}, { get: () => 'x' });
      const given = (FULL_BODIES[route.key]?.(own) ?? []).flatMap((body) =>
        [...placesOf(schema, body)].map(([place]) => named(place).replace(/\[\d+\]/g, '[]')),
      );
      return fieldsOf(schema)
        .filter((field) => !given.includes(field))
        .map((field) => `${route.key} ${field}`);
    });
    const unused = (field: string) => UNUSED_BY_ROUTE.some((pattern) => pattern.test(field.replaceAll('[]', '[0]')));
    expect(missing.filter((field) => !unused(field))).toEqual([]);
  });

  it('are those of the API description: kept at each, refused beyond it by name, and none is kept that it does not tell', async () => {
    const account = await world.account();
    const { values } = await withRecords(world, account);
    const faults: string[] = [];
    let tested = 0;
    const tryAll = async ({ route, schema }: DescribedBody): Promise<void> => {
      const path = pathOf(route, values);
      const send = async (body: object) => {
        const answer = await account.api.request<Record<string, unknown>>(route.method, path, withFreshName(body));
        if (answer.status === 429 || answer.status >= 500) throw new Error(`${route.key}: ${answer.text}`);
        return answer;
      };
      const seen = new Set<string>();
      for (const body of FULL_BODIES[route.key]?.(values) ?? []) {
        for (const [place, own] of placesOf(schema, body)) {
          const field = named(place);
          if (UNUSED_BY_ROUTE.some((pattern) => pattern.test(`${route.key} ${field}`))) continue;
          for (const { title, at, beyond, names } of limitsOf(own, body, place)) {
            const key = title.replace(/\[\d+\]/g, '[]');
            if (seen.has(key)) continue;
            seen.add(key);
            // What is left out of an optional object until nothing is left of it is not missed.
            if ([place, place.slice(0, -1)].some((one) => isHollow(schema, beyond, one))) continue;
            tested += 1;
            const refused = await send(beyond);
            const message = String(refused.body.message ?? refused.body.detail ?? '');
            const isNamed = names.every((name) => message.replace(/(\d),(?=\d{3})/g, '$1').includes(name));
            if (![400, 422].includes(refused.status) || !isNamed) {
              faults.push(`${route.key} ${title}: beyond it ${refused.status} ${message.slice(0, 160)}`);
            }
            if (at === null) continue;
            const kept = await send(at);
            const [sentence = ''] = message.split(/ \((?:got|found)/);
            if (sentence !== '' && kept.status >= 400 && kept.text.includes(JSON.stringify(sentence).slice(1, -1))) {
              faults.push(`${route.key} ${title}: at it ${kept.status} ${kept.text.slice(0, 160)}`);
            }
          }
          if (place.length === 0) continue;
          for (const { limit, value, refusal } of unlimitedOf(own, valueAt(body, place))) {
            const key = `${field.replace(/\[\d+\]/g, '[]')} undocumented ${limit}`;
            if (seen.has(key)) continue;
            seen.add(key);
            const { status, text } = await send(changed(body, place, value));
            if (![400, 422].includes(status) || !text.includes(field) || !refusal.test(text)) continue;
            // Other fields may decide that there must be a value: then none at all is refused just so.
            if (value === '' || Array.isArray(value)) {
              if ((await send(changed(body, place, undefined))).text === text) continue;
            }
            faults.push(`${route.key} ${field} has no documented ${limit}: ${status} ${text.slice(0, 160)}`);
          }
        }
      }
    };
    await crowdOf(bodies, tryAll);
    expect(faults).toEqual([]);
    expect(tested).toBeGreaterThan(250);
  });
});
