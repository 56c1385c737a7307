import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { getMetadataStorage } from 'class-validator';
import type { FastifyRequest } from 'fastify';
import { isPlainObject } from './field-rules.js';

/** How many fields `X-Ignored-Fields` names. */
const MAX_NAMED = 20;
/** Characters of a name that are shown. */
const MAX_NAME = 64;
/** Keeps the header well below what proxies accept, bytes. */
const MAX_HEADER_BYTES = 2048;

/** The metadata of `@nestjs/swagger` that lists the fields of a class, each after a colon, and the body of a route. */
const DESCRIBED_FIELDS = 'swagger/apiModelPropertiesArray';
const DESCRIBED_PARAMETERS = 'swagger/apiParameters';

type Class = new (...args: never[]) => unknown;

/** The fields that a route reads; null for a body of free shape. */
interface RouteFields {
  readonly body: ReadonlySet<string> | null;
  readonly query: ReadonlySet<string>;
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
  // A body with a reader of its own has no class; its description for OpenAPI names the fields.
  const fields =
    body === undefined ? [] : [...fieldsOfClass(types[body.index]), ...fieldsOfClass(describedBody(handler))];
  return { query: new Set(query), body: body !== undefined && fields.length === 0 ? null : new Set(fields) };
}

function describedBody(handler: object): Class | undefined {
  const parameters: { in?: string; type?: Class }[] = Reflect.getMetadata(DESCRIBED_PARAMETERS, handler) ?? [];
  return parameters.find((parameter) => parameter.in === 'body')?.type;
}

/** The fields with a validation rule or, in a class that only describes a body, those described. */
function fieldsOfClass(type: Class | undefined): string[] {
  if (type === undefined) return [];
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  if (rules.length > 0) return rules.map(({ propertyName }) => propertyName);
  const described: string[] = Reflect.getMetadata(DESCRIBED_FIELDS, type.prototype ?? {}) ?? [];
  return described.map((field) => field.slice(1));
}
