import type { ApiPropertyOptions } from '@nestjs/swagger';
import { shown, wrongType } from '../http/field-rules.js';
import { rule } from '../http/request-fields.js';
import { readCountry } from '../values/numbering-plans.js';

const SCHEMA: ApiPropertyOptions = {
  type: 'string',
  pattern: '^[A-Za-z]{2}$',
  example: 'DE',
  description:
    'Country of numbers without `+` or `00`, as two letters of ISO 3166. Such numbers are then read as they are dialled ' +
    'there. Digits may still be international: they are if they begin with the code of this country and go on with a ' +
    'valid number of it, or are more likely a number of another country (a mobile phone before a landline, a valid ' +
    'number before a possible one). Digits that a contact has already mean that contact. By default all numbers have ' +
    'their country code',
};

/** The country in which numbers without a country code may be dialled. */
export const DefaultCountry = (): PropertyDecorator =>
  rule<string>(SCHEMA, {
    wrong: (path, value) => (typeof value === 'string' ? null : wrongType(path, 'a string', value)),
    beyond: (path, value) =>
      readCountry(value) === null
        ? `${path} must be the two letters of a country in ISO 3166, such as DE (got ${shown(value)})`
        : null,
  });
