import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { isAbsent, isPlainObject } from './field-rules.js';
import { type FieldClass, namesOfFields } from './request-fields.js';

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
  readonly body: ReadonlySet<string> | null;
  readonly query: ReadonlySet<string>;
  readonly unused: UnusedFields | null;
}

/** A parameter of a controller method, as Nest stores it under `<type>:<index>`. */
interface RouteArgument {
  readonly index: number;
  /** The one field that the parameter takes; undefined for all. */
  readonly data?: string;
}

/** Finds the top-level fields of a request that its route does not read, for the header `X-Ignored-Fields`. */
@Injectable()
export class IgnoredFields {
  private readonly fieldsOf = new WeakMap<object, RouteFields>();

  /** The value of the header; null when everything is read. */
  headerOf(context: ExecutionContext, { body, query }: Pick<FastifyRequest, 'body' | 'query'>): string | null {
    const handler = context.getHandler();
    let known = this.fieldsOf.get(handler);
    if (known === undefined) {
      known = routeFields(context.getClass(), handler);
      this.fieldsOf.set(handler, known);
    }
    const ignored: string[] = [];
    collectUnknown(query, known.query, ignored);
    if (known.body !== null) collectUnknown(body, known.body, ignored);
    if (known.unused !== null) collectUnused(body, known.unused, ignored);
    return ignored.length === 0 ? null : headerValue(ignored);
  }
}

function collectUnknown(given: unknown, known: ReadonlySet<string>, ignored: string[]): void {
  if (!isPlainObject(given)) return;
  for (const field of Object.keys(given)) {
    if (ignored.length === MAX_NAMED) return;
    if (!known.has(field) && !ignored.includes(field)) ignored.push(field);
  }
}

function collectUnused(given: unknown, unused: UnusedFields, ignored: string[]): void {
  if (!isPlainObject(given)) return;
  const named = unused(given).filter((field) => !isAbsent(given[field]));
  ignored.push(...named.slice(0, MAX_NAMED - ignored.length));
}

function headerValue(fields: readonly string[]): string {
  let value = '';
  for (const field of fields) {
    const encoded = encodeURIComponent(field.slice(0, MAX_NAME).toWellFormed());
    const longer = value === '' ? encoded : `${value},${encoded}`;
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
  const query = argumentsOf(RouteParamtypes.QUERY).flatMap(({ index, data }) =>
    data === undefined ? fieldsOfClass(types[index]) : [data],
  );
  const [body] = argumentsOf(RouteParamtypes.BODY);
  const type = body && types[body.index];
  const fields = fieldsOfClass(type);
  return {
    query: new Set(query),
    body: fields.length === 0 && body !== undefined ? null : new Set(fields),
    unused: type?.[UNUSED_FIELDS] ?? null,
  };
}

const fieldsOfClass = (type: Class | undefined): string[] => (type === undefined ? [] : namesOfFields(type));
