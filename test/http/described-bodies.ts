import { describeApi } from '../../src/api-description/describe-api.js';
import { newRecordId } from '../../src/values/record-id.js';
import type { World } from '../support/world.js';
import { FULL_BODIES, TEMPLATE_NAME } from './full-bodies.js';
import { type DescribedRoute, routesOf } from './routes.js';

// Bodies of the running app's routes as the API description has them, place by place.

export type Schema = Readonly<Record<string, unknown>>;
export type Place = readonly (string | number)[];

/** The named schemas of the API description. */
let schemas: Readonly<Record<string, Schema>> = {};

const resolved = (schema: Schema): Schema => {
  const reference = schema.$ref ?? [schema.allOf, schema.anyOf].flat().find((part) => (part as Schema)?.$ref);
  const name = typeof reference === 'string' ? reference : (reference as Schema | undefined)?.$ref;
  return typeof name === 'string' ? (schemas[name.split('/').at(-1) ?? ''] ?? {}) : schema;
};

export const named = (place: Place): string =>
  place.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');

export const valueAt = (body: unknown, place: Place): unknown =>
  place.reduce<unknown>((value, step) => (value as Record<string | number, unknown> | undefined)?.[step], body);

/** A copy of the body with another value in a place; undefined leaves the field out. */
export function changed(body: object, place: Place, value: unknown): object {
  const copy = structuredClone(body);
  const owner = valueAt(copy, place.slice(0, -1)) as Record<string | number, unknown>;
  const last = place.at(-1) ?? '';
  if (value === undefined) delete owner[last];
  else owner[last] = value;
  return copy;
}

/** Names of templates are taken once they have been accepted. */
export const withFreshName = (body: object): object =>
  'name' in body && body.name === TEMPLATE_NAME ? { ...body, name: `t_${newRecordId().replaceAll('-', '')}` } : body;

/** Every place of a body that its schema describes and that has a value in it, with the schema of the place. */
export function* placesOf(schema: Schema, body: object, place: Place = []): Generator<readonly [Place, Schema]> {
  const own = { ...resolved(schema), ...schema };
  yield [place, own];
  const value = valueAt(body, place);
  for (const [name, property] of Object.entries((own.properties ?? {}) as Record<string, Schema>)) {
    if (valueAt(body, [...place, name]) !== undefined) yield* placesOf(property, body, [...place, name]);
  }
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield* placesOf((own.items ?? {}) as Schema, body, [...place, index]);
  }
  const values = own.additionalProperties;
  if (typeof values === 'object' && values !== null) {
    for (const name of Object.keys((value ?? {}) as object)) yield* placesOf(values as Schema, body, [...place, name]);
  }
}

/** Whether the object of a body that has this place requires it. */
export const isRequired = (schema: Schema, body: object, place: Place): boolean => {
  const [, own] = [...placesOf(schema, body)].find(([at]) => named(at) === named(place.slice(0, -1))) ?? [];
  return ((own?.required ?? []) as unknown[]).includes(place.at(-1));
};

/** Whether this is an optional object of a body in which every value is blank, so that it counts as absent. */
export const isHollow = (schema: Schema, body: object, place: Place): boolean => {
  const value = valueAt(body, place);
  if (typeof place.at(-1) !== 'string' || typeof value !== 'object' || value === null || Array.isArray(value))
    return false;
  return !isRequired(schema, body, place) && Object.values(value).every((one) => String(one ?? '').trim() === '');
};

/** The paths of all fields that a schema describes, with `[]` for the entries of lists. */
export function fieldsOf(schema: Schema, prefix = ''): string[] {
  const own = { ...resolved(schema), ...schema };
  const properties = Object.entries((own.properties ?? {}) as Record<string, Schema>).flatMap(([name, property]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    return [path, ...fieldsOf(property, path)];
  });
  return [...properties, ...(own.items ? fieldsOf(own.items as Schema, `${prefix}[]`) : [])];
}

/** A route with a body of which there are full ones. */
export interface DescribedBody {
  readonly route: DescribedRoute;
  readonly schema: Schema;
}

export function describedBodies(world: World): DescribedBody[] {
  const description = describeApi(world.parley.app) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  schemas = description.components.schemas;
  return routesOf(world).flatMap((route) => {
    const described = description.paths[route.path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
    const content = (described?.requestBody as { content?: Record<string, { schema?: Schema }> } | undefined)?.content;
    const schema = content?.['application/json']?.schema;
    return schema !== undefined && route.key in FULL_BODIES ? [{ route, schema }] : [];
  });
}
