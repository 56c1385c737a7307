import { badRequest, unprocessable } from '../errors/domain-error.js';
import { pause } from '../runtime/slices.js';
import { isAbsent, isBlankText, isPlainObject } from './field-rules.js';
import {
  checkOf,
  type Field,
  type FieldClass,
  type FieldPart,
  fieldsOf,
  type GivenObject,
  isObject,
  rulesOfClass,
} from './request-fields.js';

/** A broken rule of a field. */
interface Fault {
  readonly message: string;
  readonly status: 400 | 422 | undefined;
  /** Whether the value has the right type. */
  readonly isLimit: boolean;
}

/** An object of the body with a path, and the whole body. */
interface Place {
  readonly object: object;
  readonly path: string;
  readonly body: object;
  /** Whether limits hold here. */
  readonly limits: boolean;
}

const heldBy = (object: object, { name }: Field): unknown => (object as Record<string, unknown>)[name];

/**
 * What blank values count as: `absent` in optional fields of bodies, because forms and tools without code send what was
 * left blank as `""`, and an object or list as `[]`; `values` in queries, and in bodies that change a record, where they
 * empty a field.
 */
export type Blanks = 'absent' | 'values';

/**
 * Reads a body or query as its class declares it; unknown fields are dropped.
 *
 * @throws DomainError that names each wrong field, its limit and its value, unless the class tells the first only
 */
export function readRequest<T extends object>(type: FieldClass<T>, given: GivenObject, blanks: Blanks = 'absent'): T {
  const body = instanceOf(type, given, blanks);
  finish(type, body, faultsIn(type, { object: body, path: '', body, limits: true }));
  return body;
}

/** {@link readRequest} for a class that may have a long list. What was given stays as it was. */
export async function readLongRequest<T extends object>(
  type: FieldClass<T>,
  given: GivenObject,
  blanks: Blanks,
): Promise<T> {
  const long = fieldsOf(type).find(({ part }) => part?.list === 'long');
  if (long === undefined) return readRequest(type, given, blanks);
  const body = instanceOf(type, given, blanks);
  const place = { object: body, path: '', body, limits: true };
  const faults: Fault[] = [];
  for (const field of fieldsOf(type)) {
    const found = faultsOfField(field, place);
    faults.push(...(field === long && found.length === 0 ? await firstFaultInList(field, body, blanks) : found));
  }
  finish(type, body, faults);
  return body;
}

/**
 * Checks the limits and rules of a body of which {@link readRequest} has checked the types only, because its class tells
 * its first fault.
 *
 * @throws DomainError
 */
export function checkRequest(body: object): void {
  const type = body.constructor as FieldClass;
  finish(type, body, faultsIn(type, { object: body, path: '', body, limits: true }), true);
}

/** What a field's own rules say about its value, for the checks of a body; null when nothing is wrong. */
export function faultIn(object: object, name: string, path: string): string | null {
  const field = fieldsOf(object.constructor as FieldClass).find((one) => one.name === name);
  if (field === undefined) throw new Error(`${object.constructor.name} declares no field ${name}`);
  const place = { object, path: '', body: object, limits: true };
  return ownFault({ ...field, byBody: false }, path, place)?.message ?? null;
}

function instanceOf<T extends object>(type: FieldClass<T>, given: GivenObject, blanks: Blanks): T {
  const instance = new type();
  const fields = instance as Record<string, unknown>;
  for (const field of fieldsOf(type)) {
    const { name, change, part } = field;
    if (!Object.hasOwn(given, name) || given[name] === undefined) continue;
    const changed = change === null ? given[name] : change(given[name]);
    const value = part === null ? changed : partOf(part, changed, blanks);
    if (blanks === 'values' || !isLeftBlank(field, value, changed)) fields[name] = value;
  }
  return instance;
}

function partOf({ type, list }: FieldPart, value: unknown, blanks: Blanks): unknown {
  if (list === 'long') return value;
  const instance = (entry: unknown) => (isPlainObject(entry) ? instanceOf(type, entry, blanks) : entry);
  if (list === 'no') return instance(value);
  return Array.isArray(value) ? value.map(instance) : value;
}

/**
 * Whether a value stands for an optional field that was left blank.
 *
 * @param value read without its own blank fields
 * @param given the same before
 */
const isLeftBlank = (field: Field, value: unknown, given: unknown): boolean =>
  (field.absent !== 'none' || field.hasSubstitute) && !field.absenceMeansMore && isBlank(field, value, given);

function isBlank({ isStructured, part }: Field, value: unknown, given: unknown): boolean {
  if (!isStructured || typeof value === 'string') return isBlankText(value);
  if (Array.isArray(value)) return value.length === 0;
  if (part?.list !== 'no' || !isObject(value)) return false;
  return fieldsOf(part.type).every((one) => isLeftOut(one, heldBy(value, one))) || isNothing(given, part);
}

/**
 * Whether nothing was filled in at any depth: forms send a whole object with blank fields, required ones too. Fields that
 * nobody knows count, because they may be misspelled.
 */
function isNothing(given: unknown, part: FieldPart | null): boolean {
  if (isAbsent(given) || isBlankText(given)) return true;
  if (Array.isArray(given)) return given.every((entry) => isNothing(entry, part));
  if (!isPlainObject(given)) return false;
  const fields = part === null ? [] : fieldsOf(part.type);
  return Object.entries(given).every(([name, held]) => {
    const field = fields.find((one) => one.name === name);
    return isNothing(held, field?.part ?? null) && (field?.absenceMeansMore !== true || isAbsent(held));
  });
}

/** An entry without the fields that were left blank; the entry itself when there are none. */
function withoutBlanks(type: FieldClass, entry: GivenObject): GivenObject {
  let kept: Record<string, unknown> | null = null;
  for (const field of fieldsOf(type)) {
    const { name, part } = field;
    const value = part === null ? entry[name] : partWithoutBlanks(part, entry[name]);
    const isLeft = isLeftBlank(field, value, entry[name]);
    if (!isLeft && value === entry[name]) continue;
    kept ??= { ...entry };
    if (isLeft) delete kept[name];
    else kept[name] = value;
  }
  return kept ?? entry;
}

function partWithoutBlanks({ type, list }: FieldPart, value: unknown): unknown {
  const cleaned = (one: unknown) => (isPlainObject(one) ? withoutBlanks(type, one) : one);
  if (list === 'no') return cleaned(value);
  if (!Array.isArray(value)) return value;
  const entries = value.map(cleaned);
  return entries.some((entry, index) => entry !== value[index]) ? entries : value;
}

function faultsIn(type: FieldClass, place: Place): Fault[] {
  const faults = fieldsOf(type).flatMap((field) => faultsOfField(field, place));
  if (faults.length > 0 || place.path === '') return faults;
  const message = checkOf(type)?.(place.object as never, place.path);
  return typeof message === 'string' ? [{ message, status: undefined, isLimit: true }] : [];
}

/** The faults of a field, and of the objects in it. */
function faultsOfField(field: Field, place: Place): Fault[] {
  const { name, part, byBody, limitsWhen } = field;
  const value = heldBy(place.object, field);
  if (byBody || isLeftOut(field, value)) return [];
  const path = place.path === '' ? name : `${place.path}.${name}`;
  const limits = place.limits && (limitsWhen === null || limitsWhen(place.object, place.body));
  const own = ownFault(field, path, { ...place, limits });
  if (own !== null && (!own.isLimit || part?.list !== 'short' || !tellsTypesFirst(place.body))) return [own];
  if (part === null || isAbsent(value) || part.list === 'long') return own === null ? [] : [own];
  if (part.list === 'no') return told(part, faultsIn(part.type, { ...place, object: value as object, path, limits }));
  const faults = (value as unknown[]).flatMap((entry, index) => {
    return faultsOfEntry(part, path, index, { ...place, object: entry as object, limits });
  });
  return own === null ? told(part, faults) : [own, ...faults.filter(({ isLimit }) => !isLimit)];
}

/** Whether a list with too few or too many entries may have some of the wrong type, which come first. */
const tellsTypesFirst = (body: object): boolean => rulesOfClass(body.constructor as FieldClass).tells !== 'all';

const told = ({ firstOnly }: FieldPart, faults: Fault[]): Fault[] => (firstOnly ? faults.slice(0, 1) : faults);

function faultsOfEntry(part: FieldPart, list: string, index: number, place: Place): Fault[] {
  const path = `${list}[${index}]`;
  if (isObject(place.object)) return faultsIn(part.type, { ...place, path });
  return [{ message: part.wrongEntry(path, place.object, list), status: undefined, isLimit: false }];
}

const isLeftOut = ({ absent }: Field, value: unknown): boolean =>
  (value === undefined && absent !== 'none') || (value === null && absent === 'null');

/** The first of a field's own rules that its value breaks. */
function ownFault(field: Field, path: string, { object, limits }: Place): Fault | null {
  const value = heldBy(object, field);
  for (const { wrong, beyond, status, early = false } of field.rules) {
    const isLimit = isAbsent(value) && !early;
    if (isLimit && !limits) continue;
    const message = wrong(path, value, object);
    if (message !== null) return { message, status, isLimit };
    const limit = limits ? (beyond?.(path, value as never, object) ?? null) : null;
    if (limit !== null) return { message: limit, status, isLimit: true };
  }
  return null;
}

/**
 * Judges the entries of a long list, and gives the body a list without their blank fields: in slices, since there may be
 * 10,000.
 */
async function firstFaultInList(field: Field, body: object, blanks: Blanks): Promise<Fault[]> {
  const { name, part } = field;
  const value = heldBy(body, field);
  if (!Array.isArray(value) || part === null) return [];
  const entries: unknown[] = [];
  for (const [index, given] of value.entries()) {
    await pause();
    const entry = blanks === 'absent' && isPlainObject(given) ? withoutBlanks(part.type, given) : given;
    const [fault] = faultsOfEntry(part, name, index, { object: entry as object, path: '', body, limits: true });
    if (fault !== undefined) return [fault];
    entries.push(entry);
  }
  (body as Record<string, unknown>)[name] = entries;
  return [];
}

/** @throws DomainError for the faults of a body, or by its check when there are none */
function finish(type: FieldClass, body: object, faults: readonly Fault[], isWhole = false): void {
  const { tells, error } = rulesOfClass(type);
  // Its service checks the rest, with checkRequest, after what it looks up first.
  const now = tells === 'all' || isWhole ? faults : faults.filter(({ isLimit }) => !isLimit);
  if (now.length === 0) {
    if (tells === 'all' || isWhole) checkOf(type)?.(body as never, '');
    return;
  }
  const first = tells === 'all' ? now : [firstOf(now)];
  const message = [...new Set(first.map((fault) => fault?.message))].join('; ');
  if (error !== null) throw first[0]?.status === 400 ? badRequest(message) : error(message);
  throw first.every((fault) => fault?.status === 422) ? unprocessable(message) : badRequest(message);
}

/** A wrong type before a limit, and a 400 before a 422. */
const firstOf = (faults: readonly Fault[]): Fault | undefined => {
  const wrong = faults.filter(({ isLimit }) => !isLimit);
  return wrong.find(({ status }) => status === 400) ?? wrong[0] ?? faults[0];
};
