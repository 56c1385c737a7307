import { EXAMPLE_ID } from '../manifest/room-examples.js';
import { MANIFEST } from '../rooms.js';
import { BY_NAME, ERROR_MESSAGES } from './example-values.js';
import type { ApiParameter, Operation, Schema } from './open-api.js';

const BY_FORMAT: Readonly<Record<string, string>> = { uuid: EXAMPLE_ID, 'date-time': '2026-01-31T09:30:00.000Z' };
/** Of events, whose times have no offset. */
const NAIVE_TIME = '2026-01-31T09:30:00.000';
/** Of automatic changes. */
const ACTOR: Readonly<Record<string, string>> = { user_id: 'system', name: 'system' };
/** Of parameters that say nothing of themselves. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  page: 'Counted from 1',
  limit: 'Rows on a page',
  contact_phone: 'Digits with the country code, no `+`',
  language: 'As the network writes it, such as `en_US`',
  'hub.mode': 'What the network asks for',
  'hub.challenge': 'Sent back as the body of the answer',
};
const IS_TIME = /(?:^|_)(?:timestamp|at|until)$/;

/**
 * Gives every property an example where a body, its place, name or format tells one, as JSON Schema writes it: `examples`.
 *
 * @param operations whose bodies have examples
 */
export function addExamples(schemas: Schemas, operations: readonly Operation[]): void {
  const shown = shownValues(schemas, operations);
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name, shown);
}

type Schemas = Readonly<Record<string, Schema>>;

/** What properties have in the examples of requests and in recorded answers, by `Schema.property`. */
function shownValues(schemas: Schemas, operations: readonly Operation[]): ReadonlyMap<string, unknown> {
  const shown = new Map<string, unknown>();
  const note = (schema: Schema, value: unknown, place: string): void => {
    const { $ref, properties = {}, items, allOf = [] } = schema;
    const name = String($ref).replace('#/components/schemas/', '');
    if (schemas[name] !== undefined) note(schemas[name], value, name);
    for (const part of allOf as Schema[]) note(part, value, place);
    if (Array.isArray(value)) for (const item of value) note((items ?? {}) as Schema, item, place);
    if (typeof value !== 'object' || value === null) return;
    for (const [property, inner] of Object.entries(properties as Schemas)) {
      const own = (value as Record<string, unknown>)[property];
      const path = `${place}.${property}`;
      if (isPlain(own) && !shown.has(path)) shown.set(path, own);
      note(inner, own, path);
    }
  };
  for (const { requestBody, responses } of operations) {
    for (const { content } of [requestBody, ...Object.values(responses)].filter((body) => body !== undefined)) {
      const { schema, example, examples = {} } = content?.['application/json'] ?? {};
      const given = Object.values(examples).map((one) => (one as { readonly value: unknown }).value);
      for (const value of [example, ...given]) note(schema ?? {}, value, '');
    }
  }
  return shown;
}

const isPlain = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every((item) => typeof item !== 'object')
    : value !== undefined && value !== '' && typeof value !== 'object';

/** Gives a parameter its example, taken out of its schema if it is written there, and a description if it lacks one. */
export function explainParameter(parameter: ApiParameter): void {
  const { name, schema } = parameter;
  const description = parameter.description ?? DESCRIPTIONS[name];
  if (description !== undefined) parameter.description = description;
  const written = parameter.example ?? schema['example'];
  delete schema['example'];
  const example = written ?? exampleOf('', name, schema);
  if (example !== undefined) parameter.example = example;
}

/** @param place the name of the schema, and of the properties on the way to this part of it */
function visit(schema: Schema, place: string, shown: ReadonlyMap<string, unknown>): void {
  if ('example' in schema) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    visit(property, `${place}.${name}`, shown);
    const example = exampleOf(place, name, property, shown.get(`${place}.${name}`));
    if (example !== undefined) property['examples'] ??= [example];
  }
  const { items, additionalProperties, oneOf = [] } = schema;
  for (const part of [items, additionalProperties, oneOf].flat())
    if (typeof part === 'object' && part !== null) visit(part as Schema, place, shown);
}

/** Undefined unless the example has the property's type. */
function exampleOf(
  place: string,
  name: string,
  { type, format, enum: choices, description }: Schema,
  shown?: unknown,
): unknown {
  if (choices !== undefined || type === undefined) return undefined;
  const types = [type].flat();
  const candidates = [
    shown,
    MANIFEST.examples.values[`${place}.${name}`],
    ERROR_MESSAGES[`${place}.${name}`],
    BY_FORMAT[String(format)],
    IS_TIME.test(name) && String(description).includes('without an offset') ? NAIVE_TIME : undefined,
    IS_TIME.test(name) ? BY_FORMAT['date-time'] : undefined,
    place.endsWith('.actor') ? ACTOR[name] : undefined,
    BY_NAME[name],
  ];
  return candidates.find((example) => example !== undefined && isOfType(example, types));
}

function isOfType(example: unknown, types: readonly unknown[]): boolean {
  if (Array.isArray(example)) return types.includes('array');
  if (typeof example !== 'number') return types.includes(typeof example);
  return types.includes('number') || (Number.isInteger(example) && types.includes('integer'));
}
