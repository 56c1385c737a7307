import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';

// What the decorators of a body or query say about its fields. field-rules.ts has the decorators, request-reader.ts
// applies them.

/** A class of a body, of a query, or of a part of one. */
export type FieldClass<T extends object = object> = new (...args: never[]) => T;

/** What is wrong with a value, as a sentence that begins with its path; null when nothing is. */
type Judge<Value> = (path: string, value: Value, body: object) => string | null;

/** A rule of one field. */
export interface FieldRule<Value = unknown> {
  /** Judges whether the value is there and of the right type. */
  readonly wrong: Judge<unknown>;
  /** Judges the limits of a value that is not wrong. */
  readonly beyond?: Judge<Value>;
  /** Of a value that is refused; by default as the body says. */
  readonly status?: 400 | 422;
  /** Whether an absent value is of the wrong type, and not only beyond a limit. */
  readonly early?: boolean;
}

/** A field that holds an object, or a list of objects, of another class. */
export interface FieldPart {
  readonly type: FieldClass;
  /** Long lists are judged in slices, and their entries stay as they were given. */
  readonly list: 'no' | 'short' | 'long';
  /** Whether only the first fault in it is told. */
  readonly firstOnly: boolean;
  /** What is wrong with an entry that is no object. */
  readonly wrongEntry: (path: string, entry: unknown, field: string) => string;
}

/** Whether `value` is an object, plain or of a class, and no list. */
export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A condition on a body, or on the object in it that has the field. */
export type Condition = (owner: object, body: object) => boolean;

/** An object as it was sent, of which nothing has been judged yet. */
export type GivenObject = Readonly<Record<string, unknown>>;

/** Everything that is declared about one field. */
export interface Field {
  readonly name: string;
  /** Which values count as absent, and are judged by no rule. */
  absent: 'none' | 'undefined' | 'null';
  /** Whether another field may stand for it. */
  hasSubstitute: boolean;
  /** Whether a body without it allows more, or does more, than one with it, so that none is taken for left out. */
  absenceMeansMore: boolean;
  readonly rules: FieldRule<never>[];
  /** Whether it holds an object or a list, which some programs write as `[]` when it is empty. */
  isStructured: boolean;
  part: FieldPart | null;
  /** Of a map: the fields of an object that may be a value of it; null when none may. */
  valueFields: readonly string[] | null;
  /** How the value is changed before it is judged. */
  change: ((value: unknown) => unknown) | null;
  /** Whether the rules of the body judge it, because what it may be depends on other fields. */
  byBody: boolean;
  /** When its limits hold, and those of the objects in it; null: always. */
  limitsWhen: Condition | null;
}

/** How a body is refused, and what is checked after its fields. */
interface ClassRules {
  /** `shape`: wrong types before limits. `all` names every wrong field. */
  readonly tells: 'all' | 'shape';
  readonly error: ((message: string) => Error) | null;
}

type Check = (body: never, path: string) => unknown;

const declared = new WeakMap<object, Map<string, Field>>();
const known = new WeakMap<FieldClass, readonly Field[]>();
const checks = new WeakMap<FieldClass, Check>();
const classRules = new WeakMap<FieldClass, ClassRules>();

/** The field of a decorator's target, to be added to. */
function declaration(target: object, property: string | symbol): Field {
  const fields = declared.get(target) ?? new Map<string, Field>();
  declared.set(target, fields);
  const name = String(property);
  const field: Field = fields.get(name) ?? {
    name,
    absent: 'none',
    hasSubstitute: false,
    absenceMeansMore: false,
    rules: [],
    isStructured: false,
    part: null,
    valueFields: null,
    change: null,
    byBody: false,
    limitsWhen: null,
  };
  fields.set(name, field);
  return field;
}

/** A decorator that says something about a field. */
export const declares =
  (say: (field: Field) => void): PropertyDecorator =>
  (target, property) =>
    say(declaration(target, property));

/** A field that another one may stand for. */
export const hasSubstitute = declares((field) => {
  field.hasSubstitute = true;
});

/** A rule together with what the API description says about it, so that the two cannot differ. */
export const rule =
  <Value>(schema: ApiPropertyOptions, judged: FieldRule<Value>): PropertyDecorator =>
  (target, property) => {
    // The lowest decorator runs first, and so does its rule.
    const field = declaration(target, property);
    field.rules.push(judged);
    // A class, alone or in a list, is the type of an object.
    field.isStructured ||=
      !['string', 'undefined'].includes(typeof schema.type) || /^(?:array|object)$/.test(`${schema.type}`);
    ApiProperty(schema)(target, property);
  };

/** The fields that a class declares, then those it inherits and does not declare again, the oldest first. */
export function fieldsOf(type: FieldClass): readonly Field[] {
  let fields = known.get(type);
  if (fields === undefined) {
    const levels: Field[][] = [];
    for (let at: object | null = type.prototype; at !== null; at = Object.getPrototypeOf(at)) {
      levels.push([...(declared.get(at)?.values() ?? [])]);
    }
    const [own = [], ...older] = levels;
    // A later entry replaces the field of an earlier one and keeps its place.
    const byName = new Map([...own, ...older.reverse().flat(), ...own].map((field) => [field.name, field]));
    fields = [...byName.values()];
    known.set(type, fields);
  }
  return fields;
}

/** The names of {@link fieldsOf}: what a route reads. */
export const namesOfFields = (type: FieldClass): string[] => fieldsOf(type).map(({ name }) => name);

/**
 * What holds between the fields of a class; it runs when each of them is all right.
 *
 * @param check throws, or returns what is wrong
 */
export const Checked =
  <T extends object>(check: (object: T, path: string) => unknown) =>
  (type: FieldClass<T>): void => {
    checks.set(type, check);
  };

/** A body of which the first fault is told, wrong types before limits, by `error` unless a rule has a status. */
export const RefusedBy =
  (error: (message: string) => Error) =>
  (type: FieldClass): void => {
    classRules.set(type, { tells: 'shape', error });
  };

const inherited = <T>(map: WeakMap<FieldClass, T>, type: FieldClass): T | undefined => {
  for (let at: FieldClass | null = type; at !== null; at = Object.getPrototypeOf(at)) {
    const found = map.get(at);
    if (found !== undefined) return found;
  }
  return undefined;
};

export const checkOf = (type: FieldClass): Check | undefined => inherited(checks, type);

export const rulesOfClass = (type: FieldClass): ClassRules =>
  inherited(classRules, type) ?? { tells: 'all', error: null };
