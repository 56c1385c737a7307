import type { NetworkVersion } from '../control/behaviour.js';
import { jsonOr } from '../exchange.js';
import { GraphError } from '../graph-error.js';
import type { StoredTemplate } from './template-store.js';

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1000;
/** How many templates a verified account may have. */
const TEMPLATE_LIMIT = 6000;
const SUMMARIES = ['total_count', 'message_template_limit'];

const cursorOf = ({ id }: StoredTemplate): string => Buffer.from(id).toString('base64url');

/** The id in a cursor; null for no cursor. */
function idOf(cursor: string | null, version: NetworkVersion): bigint | null {
  if (cursor === null) return null;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!/^\d+$/.test(id)) throw new GraphError(version === 'v23' ? 100 : 131059, 'Invalid cursor');
  return BigInt(id);
}

/** The values of a filter: one, several with commas, or a JSON array. */
function valuesOf(filter: string): string[] {
  const given = jsonOr(filter);
  return Array.isArray(given) ? given.map(String) : filter.split(',').map((value) => value.trim());
}

/** The templates that the filters in the query leave. */
export function filtered(templates: StoredTemplate[], query: URLSearchParams): StoredTemplate[] {
  const exact = (['status', 'category', 'language'] as const).flatMap((field) => {
    const filter = query.get(field);
    return filter === null ? [] : [{ field, values: valuesOf(filter) }];
  });
  const [name, nameOrContent] = [query.get('name'), query.get('name_or_content')];
  return templates.filter((template) => {
    if (!exact.every(({ field, values }) => values.includes(template[field]))) return false;
    // The network matches any part of a name.
    if (name !== null && !template.name.includes(name)) return false;
    if (nameOrContent === null || template.name.includes(nameOrContent)) return true;
    return template.components.some(({ text }) => typeof text === 'string' && text.includes(nameOrContent));
  });
}

interface Page {
  page: StoredTemplate[];
  paging: object;
  summary?: object;
}

/** One page of templates, newest first: it starts at a cursor's id, so deletions and additions do not shift it. */
export function pageOf(
  templates: StoredTemplate[],
  query: URLSearchParams,
  address: string,
  version: NetworkVersion,
): Page {
  const limit = Number(query.get('limit') ?? DEFAULT_LIMIT);
  if (!Number.isInteger(limit) || limit < 1) throw new GraphError(100, 'Param limit must be a positive integer');
  const [below, above] = [idOf(query.get('after'), version), idOf(query.get('before'), version)];
  const size = Math.min(limit, MAX_LIMIT);
  const rest = templates.filter(
    ({ id }) => (below === null || BigInt(id) < below) && (above === null || BigInt(id) > above),
  );
  const page = below === null && above !== null ? rest.slice(-size) : rest.slice(0, size);
  const [first, last] = [page[0], page.at(-1)];
  if (!first || !last) return { page, paging: { cursors: {} }, ...summaryOf(templates.length, query) };
  const urlOf = (name: 'after' | 'before', cursor: string): string => {
    const other = new URLSearchParams(query);
    for (const each of ['after', 'before']) other.delete(each);
    other.set(name, cursor);
    return `${address}?${other}`;
  };
  const paging = {
    cursors: { before: cursorOf(first), after: cursorOf(last) },
    ...(last.id === templates.at(-1)?.id ? {} : { next: urlOf('after', cursorOf(last)) }),
    ...(first.id === templates[0]?.id ? {} : { previous: urlOf('before', cursorOf(first)) }),
  };
  return { page, paging, ...summaryOf(templates.length, query) };
}

function summaryOf(total: number, query: URLSearchParams): { summary?: object } {
  const asked = query.get('summary');
  if (asked === null) return {};
  const names = valuesOf(asked);
  const unknown = names.find((name) => !SUMMARIES.includes(name));
  if (unknown !== undefined) throw new GraphError(100, `Tried accessing nonexisting summary (${unknown})`);
  const all: Record<string, number> = { total_count: total, message_template_limit: TEMPLATE_LIMIT };
  return { summary: Object.fromEntries(names.map((name) => [name, all[name]])) };
}
