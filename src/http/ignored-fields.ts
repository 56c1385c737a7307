import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { isAbsent, isBlankText, isPlainObject } from './field-rules.js';
import { type FieldClass, type FieldPart, fieldsOf } from './request-fields.js';

/** How many fields `X-Ignored-Fields` names. */
const MAX_NAMED = 20;
/** Characters of a name that are shown. */
const MAX_NAME = 64;
/** Keeps the header well below what proxies accept, bytes. */
const MAX_HEADER_BYTES = 2048;

/**
 * Key of a static method of a body's class: the names of fields that a body of this kind does not use, such as the text
 * beside an image.
 */
export const UNUSED_FIELDS = Symbol('unused fields');

type UnusedFields = (body: Readonly<Record<string, unknown>>) => readonly string[];

type Class = FieldClass & { readonly [UNUSED_FIELDS]?: UnusedFields };

/** The fields that a route reads; null for a body of free shape. */
interface RouteFields {
  readonly body: KnownFields | null;
  readonly query: KnownFields;
  readonly unused: UnusedFields | null;
}

/** A parameter of a controller method, as Nest stores it under `<type>:<index>`. */
interface RouteArgument {
  readonly index: number;
  /** The one field that the parameter takes; undefined for all. */
  readonly data?: string;
}

/** The fields that are read in an object, and in the objects in them; the keys of a map are values. */
type KnownFields = ReadonlyMap<string, KnownPart | null>;

interface KnownPart {
  readonly fields: KnownFields;
  /** `map`: the objects are the values of one. */
  readonly list: FieldPart['list'] | 'map';
}

/**
 * Finds the fields of a request that its route does not read, for the header `X-Ignored-Fields`: by their paths, as errors
 * name them. What several entries of a list have is named once.
 */
@Injectable()
export class IgnoredFields {
  private readonly known = new WeakMap<object, RouteFields>();

  /** The value of the header; null when everything is read. */
  headerOf(context: ExecutionContext, { body, query }: Pick<FastifyRequest, 'body' | 'query'>): string | null {
    const handler = context.getHandler();
    let known = this.known.get(handler);
    if (known === undefined) {
      known = routeFields(context.getClass(), handler);
      this.known.set(handler, known);
    }
    const ignored = new Map<string, string>();
    collectUnknown(query, known.query, '', '', ignored);
    if (known.body !== null) collectUnknown(body, known.body, '', '', ignored);
    if (known.unused !== null) collectUnused(body, known.unused, ignored);
    return ignored.size === 0 ? null : headerValue([...ignored.values()]);
  }
}

/**
 * @param path of the object, as errors name it, with a dot behind it
 * @param place the same without the positions in lists
 * @param ignored the encoded path of each field, by its place
 */
function collectUnknown(
  given: unknown,
  known: KnownFields,
  path: string,
  place: string,
  ignored: Map<string, string>,
): void {
  if (!isPlainObject(given)) return;
  for (const field of Object.keys(given)) {
    if (ignored.size === MAX_NAMED) return;
    const part = known.get(field);
    if (part === undefined) {
      const name = encoded(field);
      if (!ignored.has(place + name)) ignored.set(place + name, path + name);
    } else if (part !== null) collectInPart(given[field], part, path + field, place + field, ignored);
  }
}

function collectInPart(
  value: unknown,
  { fields, list }: KnownPart,
  path: string,
  place: string,
  ignored: Map<string, string>,
): void {
  if (list === 'no') collectUnknown(value, fields, `${path}.`, `${place}.`, ignored);
  else if (list === 'map') {
    for (const [key, entry] of Object.entries(isPlainObject(value) ? value : {})) {
      if (isPlainObject(entry))
        collectInPart(entry, { fields, list: 'no' }, `${path}.${encoded(key)}`, `${place}.${encoded(key)}`, ignored);
    }
  } else if (Array.isArray(value)) {
    // No use is made of a position among thousands.
    for (const [index, entry] of value.entries()) {
      collectUnknown(entry, fields, `${path}[${list === 'long' ? '' : index}].`, `${place}[].`, ignored);
    }
  }
}

function collectUnused(given: unknown, unused: UnusedFields, ignored: Map<string, string>): void {
  if (!isPlainObject(given)) return;
  const named = unused(given).filter((field) => !isAbsent(given[field]) && !isBlankText(given[field]));
  for (const field of named.slice(0, MAX_NAMED - ignored.size)) ignored.set(field, encoded(field));
}

/** Without a dot, which stands between the names of a path. */
const encoded = (field: string): string =>
  encodeURIComponent(field.slice(0, MAX_NAME).toWellFormed()).replaceAll('.', '%2E');

function headerValue(paths: readonly string[]): string {
  let value = '';
  for (const path of paths) {
    const longer = value === '' ? path : `${value},${path}`;
    if (longer.length > MAX_HEADER_BYTES) break;
    value = longer;
  }
  return value;
}

function routeFields(controller: Class, handler: { readonly name: string }): RouteFields {
  const stored: Record<string, RouteArgument> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {};
  const types: Class[] = Reflect.getMetadata('design:paramtypes', controller.prototype, handler.name) ?? [];
  const argumentsOf = (type: RouteParamtypes): RouteArgument[] =>
    Object.entries(stored).flatMap(([key, argument]) => (key.startsWith(`${type}:`) ? [argument] : []));
  const query = argumentsOf(RouteParamtypes.QUERY).flatMap(({ index, data }): [string, KnownPart | null][] =>
    data === undefined ? [...knownFields(types[index])] : [[data, null]],
  );
  const [body] = argumentsOf(RouteParamtypes.BODY);
  const type = body && types[body.index];
  const fields = knownFields(type);
  return {
    query: new Map(query),
    body: fields.size === 0 && body !== undefined ? null : fields,
    unused: type?.[UNUSED_FIELDS] ?? null,
  };
}

const fieldsByName = new WeakMap<FieldClass, Map<string, KnownPart | null>>();

function knownFields(type: FieldClass | undefined): KnownFields {
  if (type === undefined) return new Map();
  let known = fieldsByName.get(type);
  if (known === undefined) {
    known = new Map();
    // First, since a class may have a field of its own kind.
    fieldsByName.set(type, known);
    for (const { name, part, valueFields } of fieldsOf(type)) {
      if (part !== null) known.set(name, { fields: knownFields(part.type), list: part.list });
      else known.set(name, valueFields && { fields: new Map(valueFields.map((field) => [field, null])), list: 'map' });
    }
  }
  return known;
}
