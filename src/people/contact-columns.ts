import type { ApiPropertyOptions } from '@nestjs/swagger';
import { camelCase } from '../database/sql/camel-case.js';
import { type Contact } from './contact.entity.js';

/** A column of contacts that callers see. */
interface ContactColumn {
  /** How a record describes it. Those that are not required are absent from contacts without a user id, and from files. */
  readonly schema: ApiPropertyOptions;
  /** For a text that callers give: its maximum length in Unicode code points. It may fill a variable of a template. */
  readonly max?: number;
  /** What a column that cannot be NULL holds when it has no value. */
  readonly empty?: '' | readonly never[];
  /** Whether it holds personal data. */
  readonly isPersonal?: true;
}

const OPTIONAL_TEXT = { type: String, nullable: true } as const;

/**
 * The columns of a contact that callers see, in the order of records and files. What is selected, shown, created, changed,
 * imported, exported, filled into variables and erased follows from here; the types are those of {@link Contact}.
 */
export const CONTACT_TABLE = {
  id: { schema: { type: String, format: 'uuid' } },
  first_name: { schema: { type: String }, max: 256, empty: '', isPersonal: true },
  last_name: { schema: OPTIONAL_TEXT, max: 256, isPersonal: true },
  phone_number: {
    schema: { ...OPTIONAL_TEXT, description: 'Digits with the country code, no +; null for people who hide it' },
    isPersonal: true,
  },
  user_id: {
    schema: {
      type: String,
      required: false,
      description: 'The network’s user id of this person, scoped to your business; absent if unknown',
    },
    isPersonal: true,
  },
  username: {
    schema: {
      ...OPTIONAL_TEXT,
      required: false,
      description: 'The person’s username on the network, null if they have none; absent without user_id',
    },
    isPersonal: true,
  },
  /** The longest deliverable address (RFC 5321). */
  email: { schema: OPTIONAL_TEXT, max: 254, isPersonal: true },
  company: { schema: OPTIONAL_TEXT, max: 256, isPersonal: true },
  tags: { schema: { type: [String] }, empty: [], isPersonal: true },
  opted_in: { schema: { type: Boolean } },
  source: { schema: { enum: ['api', 'import', 'inbound', 'campaign', 'send'] } },
  created_at: { schema: { type: String, format: 'date-time' } },
} as const satisfies Record<string, ContactColumn>;

type Table = typeof CONTACT_TABLE;
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The name of a column of {@link CONTACT_TABLE}, which is also that of its field in a record. */
export type ColumnName = keyof Table;
/** A text that callers give. */
export type TextColumn = { [Name in ColumnName]: Table[Name] extends { max: number } ? Name : never }[ColumnName];
/** Absent from contacts without a user id. */
export type AbsentColumn = {
  [Name in ColumnName]: Table[Name]['schema'] extends { required: false } ? Name : never;
}[ColumnName];
/** The property of {@link Contact} that a column is. */
export type FieldOf<Name extends ColumnName> = CamelCase<Name>;

/** A contact as callers see it. */
export type ContactRow = Readonly<Pick<Contact, FieldOf<ColumnName>>>;
/** What callers set of a contact besides consent. */
export type GivenFields = Readonly<Pick<Contact, FieldOf<TextColumn | 'tags'>>>;

export const fieldOf = <Name extends ColumnName>(name: Name): FieldOf<Name> => camelCase(name) as FieldOf<Name>;

const columns = Object.entries(CONTACT_TABLE) as [ColumnName, ContactColumn][];
const namesOf = (isOne: (column: ContactColumn) => boolean): ColumnName[] =>
  columns.filter(([, column]) => isOne(column)).map(([name]) => name);

export const COLUMN_NAMES: readonly ColumnName[] = namesOf(() => true);
/** The texts that callers give. */
export const TEXT_COLUMNS = namesOf(({ max }) => max !== undefined) as readonly TextColumn[];
/** What callers set besides the number, and what they set with it; the number comes first. */
export const DETAIL_COLUMNS = [...TEXT_COLUMNS, 'tags'] as const;
export const GIVEN_COLUMNS = ['phone_number', ...DETAIL_COLUMNS] as const;
/** Those that a contact without a user id lacks. */
export const ABSENT_COLUMNS = namesOf(({ schema }) => schema.required === false);
/** What a file shows of a contact. */
export const FILE_COLUMNS = namesOf(({ schema }) => schema.required !== false);
/** What an erasure and a merge remove, together with the `wa_id`. */
export const PERSONAL_COLUMNS = namesOf(({ isPersonal }) => isPersonal === true);
/** What a template variable can be filled from. */
export const VARIABLE_COLUMNS = [...TEXT_COLUMNS, 'phone_number'] as const;

/** Columns of table or alias `of` as SQL, such as `c.id, c.first_name`. */
export const columnList = (of: string, names: readonly ColumnName[]): string =>
  names.map((name) => `${of}.${name}`).join(', ');

/** What a column holds without a value, as SQL. */
export function emptyOf(name: ColumnName): string | null {
  const { empty }: ContactColumn = CONTACT_TABLE[name];
  if (empty === undefined) return null;
  return empty === '' ? `''` : `'{}'`;
}

/** The fields of a contact without personal data. */
export const withoutPersonalData = (): Partial<Contact> => ({
  waId: null,
  ...Object.fromEntries(
    PERSONAL_COLUMNS.map((name) => [fieldOf(name), (CONTACT_TABLE[name] as ContactColumn).empty ?? null]),
  ),
});
