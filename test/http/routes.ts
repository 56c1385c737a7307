import { describeApi } from '../../src/api-description/describe-api.js';
import { type Route, RouteInventory } from '../../src/auth/route-inventory.js';
import { newRecordId } from '../../src/values/record-id.js';
import { uniquePhone, type World } from '../support/world.js';

/** A route of the running app, with the fields that its callers may send. */
export interface DescribedRoute extends Route {
  /** `METHOD /path/:parameter`, without a trailing slash. */
  readonly key: string;
  /** Parameters in the path, in order. */
  readonly inPath: readonly string[];
  /** Parameters in the query. */
  readonly inQuery: readonly string[];
  /** Fields of the JSON body: `name`, `buttons[].id`, `send_window.from`. */
  readonly inBody: readonly string[];
  /** Fields of the JSON answers. */
  readonly inAnswer: readonly string[];
  /** Those fields of the JSON body itself that are arrays. */
  readonly arrays: readonly string[];
}

type Schema = Readonly<Record<string, unknown>>;

/** Every route that the running app serves, as its router and its OpenAPI description list them. */
export function routesOf(world: World): DescribedRoute[] {
  const description = describeApi(world.parley.app) as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
    readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
  };
  const schemas = description.components?.schemas ?? {};
  return world.parley.app.get(RouteInventory, { strict: false }).routes.map((route) => {
    const path = route.path.replace(/(?<=.)\/$/, '');
    const described = description.paths[path.replace(/:(\w+)/g, '{$1}')]?.[route.method.toLowerCase()];
    const parameters = (described?.parameters ?? []) as readonly { in: string; name: string }[];
    const content = (described?.requestBody as { content?: Record<string, { schema?: Schema }> } | undefined)?.content;
    return {
      ...route,
      path,
      key: `${route.method} ${path}`,
      inPath: [...path.matchAll(/:(\w+)/g)].map(([, name]) => String(name)),
      inQuery: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
      arrays: arraysOf(content?.['application/json']?.schema, schemas),
      inBody: [...new Set(fieldsOf(content?.['application/json']?.schema, schemas))],
      inAnswer: [...new Set(answersOf(described).flatMap((schema) => fieldsOf(schema, schemas)))],
    };
  });
}

function arraysOf(schema: Schema | undefined, schemas: Readonly<Record<string, Schema>>): string[] {
  const named = typeof schema?.$ref === 'string' ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
  const properties = Object.entries((named?.properties ?? {}) as Readonly<Record<string, Schema>>);
  return properties.flatMap(([name, { type }]) => ([type].flat().includes('array') ? [name] : []));
}

/** The schemas of an operation's JSON answers. */
function answersOf(described: Schema | undefined): (Schema | undefined)[] {
  const answers = (described?.responses ?? {}) as Readonly<
    Record<string, { content?: Record<string, { schema?: Schema }> }>
  >;
  return Object.values(answers).map(({ content }) => content?.['application/json']?.schema);
}

/** The paths of a schema's properties, at any depth. A schema that contains itself is followed once. */
function fieldsOf(
  schema: Schema | undefined,
  schemas: Readonly<Record<string, Schema>>,
  prefix = '',
  open: readonly string[] = [],
): string[] {
  if (schema === undefined) return [];
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  if (name !== undefined) return open.includes(name) ? [] : fieldsOf(schemas[name], schemas, prefix, [...open, name]);
  const same = ['allOf', 'oneOf', 'anyOf'].flatMap((kind) => (schema[kind] ?? []) as Schema[]);
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  return [
    ...same.flatMap((part) => fieldsOf(part, schemas, prefix, open)),
    ...fieldsOf(schema.items as Schema | undefined, schemas, `${prefix}[]`, open),
    ...properties.flatMap(([property, value]) => {
      const path = prefix === '' ? property : `${prefix}.${property}`;
      return [path, ...fieldsOf(value, schemas, path, open)];
    }),
  ];
}

/** The scopes that a route requires, its own first. @throws Error when there is no such route or it needs none */
export function scopesOf(world: World, wanted: string): string[] {
  const route = routesOf(world).find(({ key }) => key === wanted);
  if (route?.access.kind !== 'scope') throw new Error(`${wanted} requires no scope`);
  return [route.access.scope, ...route.access.also];
}

/** The path with its parameters filled in; by default with ids and phone numbers that nobody has. */
export const pathOf = ({ path }: Pick<DescribedRoute, 'path'>, values: Readonly<Record<string, string>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? (name === 'contact_phone' ? uniquePhone() : newRecordId())),
  );
