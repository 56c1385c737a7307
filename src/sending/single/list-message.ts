import { unprocessable } from '../../errors/domain-error.js';
import { isAbsent, shown } from '../../http/field-rules.js';
import { isObject } from '../../http/request-fields.js';
import { faultIn } from '../../http/request-reader.js';

/** The network's limit of the rows of a list, in all of its sections together. */
export const MAX_LIST_ROWS = 10;

/** A menu below a text, from which the contact picks one row. */
export interface SentList {
  /** The label of the button that opens it. */
  readonly button: string;
  readonly sections: readonly ListSection[];
}

export interface ListSection {
  readonly title?: string;
  readonly rows: readonly ListRow[];
}

export interface ListRow {
  /** Comes back when the row is picked. */
  readonly id: string;
  readonly title: string;
  readonly description?: string;
}

/**
 * Reads the field `list` of a send.
 *
 * @throws DomainError 422 naming the field, the limit and the value
 */
export function readList(list: object): SentList {
  const button = fieldOf<string>(list, 'button', 'list');
  const given = fieldOf<readonly unknown[]>(list, 'sections', 'list');
  const sections = given.map((section, index) => readSection(section, `list.sections[${index}]`, given.length > 1));
  const ids = sections.flatMap(({ rows }) => rows.map(({ id }) => id));
  if (ids.length > MAX_LIST_ROWS) {
    throw unprocessable(`list.sections must have at most ${MAX_LIST_ROWS} rows in all (got ${ids.length})`);
  }
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return { button, sections };
  throw unprocessable(`list.sections must not repeat the same id (got ${shown(JSON.stringify(twice))} twice)`);
}

/** @param isOneOfSeveral whether the list has other sections, so that the network wants a title */
function readSection(section: unknown, path: string, isOneOfSeveral: boolean): ListSection {
  if (!isObject(section)) throw unprocessable(`${path} must be an object with rows and optionally title`);
  const title = optionalText(section, 'title', path);
  if (isOneOfSeveral && title.title === undefined) {
    throw unprocessable(`${path}.title is required when the list has several sections`);
  }
  const rows = fieldOf<readonly unknown[]>(section, 'rows', path);
  return { ...title, rows: rows.map((row, index) => readRow(row, `${path}.rows[${index}]`)) };
}

function readRow(row: unknown, path: string): ListRow {
  if (!isObject(row)) throw unprocessable(`${path} must be an object with id, title and optionally description`);
  const [id, title] = [fieldOf<string>(row, 'id', path), fieldOf<string>(row, 'title', path)];
  return { id, title, ...optionalText(row, 'description', path) };
}

/** The value of a field that its class has found nothing wrong with. */
function fieldOf<T>(owner: object, name: string, parent: string): T {
  const fault = faultIn(owner, name, `${parent}.${name}`);
  if (fault !== null) throw unprocessable(fault);
  return (owner as Record<string, unknown>)[name] as T;
}

/** A field with a text; no field when it is absent or blank. */
function optionalText<Name extends string>(
  owner: object,
  name: Name,
  parent: string,
): { readonly [name in Name]?: string } {
  if (isAbsent((owner as Record<string, unknown>)[name])) return {};
  const value = fieldOf<string>(owner, name, parent);
  return value.trim() === '' ? {} : ({ [name]: value } as { [name in Name]: string });
}
