import { BY_NAME, BY_PLACE, ID, MESSAGES } from './example-values.js';
import type { Parameter, Schema } from './open-api.js';

const BY_FORMAT: Readonly<Record<string, string>> = { uuid: ID, 'date-time': '2026-01-31T09:30:00.000Z' };
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

/** Gives every property an example where its place, name or format tells one, as JSON Schema writes it: `examples`. */
export function addExamples(schemas: Readonly<Record<string, Schema>>): void {
  for (const [name, schema] of Object.entries(schemas)) visit(schema, name);
}

/** Gives a parameter its example, taken out of its schema if it is written there, and a description if it lacks one. */
export function explainParameter(parameter: Parameter): void {
  const { name, schema } = parameter;
  const description = parameter.description ?? DESCRIPTIONS[name];
  if (description !== undefined) parameter.description = description;
  const written = parameter.example ?? schema['example'];
  delete schema['example'];
  const example = written ?? exampleOf('', name, schema);
  if (example !== undefined) parameter.example = example;
}

/** @param place the name of the schema, and of the properties on the way to this part of it */
function visit(schema: Schema, place: string): void {
  if ('example' in schema) {
    schema['examples'] = [schema['example']];
    delete schema['example'];
  }
  for (const [name, property] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    visit(property, `${place}.${name}`);
    const example = exampleOf(place, name, property);
    if (example !== undefined) property['examples'] ??= [example];
  }
  const { items, additionalProperties, oneOf = [] } = schema;
  for (const part of [items, additionalProperties, oneOf].flat())
    if (typeof part === 'object' && part !== null) visit(part as Schema, place);
}

/** Undefined unless the example has the property's type. */
function exampleOf(place: string, name: string, { type, format, enum: choices, description }: Schema): unknown {
  if (choices !== undefined || type === undefined) return undefined;
  const types = [type].flat();
  const candidates = [
    BY_PLACE[`${place}.${name}`],
    name === 'message' || name === 'detail' ? MESSAGES[place] : undefined,
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
