import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { badRequest } from '../errors/domain-error.js';
import { ListCursor } from './list-cursor.js';
import { ListQuery } from './page.dto.js';
import { type FieldClass, namesOfFields } from './request-fields.js';

/** What chooses a page, not rows. */
const PAGING: ReadonlySet<string> = new Set(['page', 'limit', 'cursor']);

/**
 * Reads the `cursor` of a list into the query. It is bound to the account, the path and the filters of its request. The
 * queries of all lists extend {@link ListQuery}, so that none has to know.
 *
 * @throws DomainError `bad_request` next to `page`, or as {@link ListCursor.read}
 */
export function readRequestedCursor(context: ExecutionContext, request: FastifyRequest): void {
  const query = request.query as Record<string, unknown>;
  if (query.cursor === undefined) return;
  const type = queryTypeOf(context.getClass(), context.getHandler().name);
  if (type === null) return;
  if (query.page !== undefined) throw badRequest('page and cursor exclude each other; send one of them');
  const filters = namesOfFields(type)
    .filter((name) => !PAGING.has(name))
    .sort();
  const path = request.url.split('?')[0] ?? '';
  query.cursor = ListCursor.read(query.cursor, {
    accountId: request.caller?.accountId ?? '',
    path: path.endsWith('/') ? path.slice(0, -1) : path,
    filters: filters.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]] as const])),
  });
}

/** The class of a list's query; null for routes that are no list. */
function queryTypeOf(controller: FieldClass, handler: string): FieldClass | null {
  const stored: Record<string, { readonly index: number }> =
    Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler) ?? {};
  const types: FieldClass[] = Reflect.getMetadata('design:paramtypes', controller.prototype, handler) ?? [];
  const queries = Object.entries(stored).filter(([key]) => key.startsWith(`${RouteParamtypes.QUERY}:`));
  return (
    queries
      .map(([, { index }]) => types[index])
      .find((type) => type?.prototype instanceof ListQuery || type === ListQuery) ?? null
  );
}
