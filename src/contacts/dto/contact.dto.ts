import { ApiProperty } from '@nestjs/swagger';
import type { Contact } from '../../people/contact.entity.js';
import {
  ABSENT_COLUMNS,
  type AbsentColumn,
  COLUMN_NAMES,
  CONTACT_TABLE,
  type ColumnName,
  type ContactRow,
  type FieldOf,
  fieldOf,
} from '../../people/contact-columns.js';

type Shown<Value> = Value extends Date | string ? string : Value;
type Values = { [Name in ColumnName]: Shown<Contact[FieldOf<Name>]> };
type Fields = Omit<Values, AbsentColumn> & Partial<Pick<Values, AbsentColumn>>;
const Fields = class {} as new () => Fields;
for (const name of COLUMN_NAMES) ApiProperty(CONTACT_TABLE[name].schema)(Fields.prototype, name);

/** A contact record: its columns, without `user_id` and `username` for a contact without a user id. */
export class ContactRecord extends Fields {
  static from(row: ContactRow): ContactRecord {
    const isUnknown = row.userId === null;
    const record: Record<string, unknown> = {};
    for (const name of COLUMN_NAMES) {
      if (isUnknown && ABSENT_COLUMNS.includes(name)) continue;
      const value = row[fieldOf(name)];
      record[name] = value instanceof Date ? value.toISOString() : value;
    }
    return record as unknown as ContactRecord;
  }
}
