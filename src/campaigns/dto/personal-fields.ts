import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { characters, isPlainObject, shown, wrongChoice, wrongType } from '../../http/field-rules.js';
import { ButtonParamField, MAX_BUTTONS, MAX_URL } from '../../templates/dto/sending-fields.dto.js';
import { type ButtonInput, MAX_COUPON, MAX_PAYLOAD, MAX_URL_SUFFIX } from '../../templates/rendering/sending-input.js';
import {
  type BodyValue,
  CONTACT_FIELDS,
  type ContactField,
  type PersonalValues,
  variableKey,
} from '../authoring/campaign-content.js';

/** A body variable filled from the contact. */
export interface ContactFieldField {
  contact_field: ContactField;
  fallback?: string | null;
}

/** Values of the body variables. */
export type BodyDataField = Record<string, string | ContactFieldField>;

/** The OpenAPI schema of `body_data`. */
export const BODY_DATA_SCHEMA = {
  type: 'object' as const,
  additionalProperties: {
    oneOf: [
      { type: 'string' },
      {
        type: 'object',
        required: ['contact_field'],
        properties: {
          contact_field: { type: 'string', enum: [...CONTACT_FIELDS] },
          fallback: { type: 'string', nullable: true, description: 'Used when the field is empty' },
        },
      },
    ],
  },
  example: { '1': { contact_field: 'first_name', fallback: 'there' }, '2': '4711' },
};

/** One recipient's own values. Validated by {@link personalFault} only, since a campaign may have 10,000 of them. */
export class PersonalFields {
  @ApiPropertyOptional({
    ...BODY_DATA_SCHEMA,
    nullable: true,
    description: 'Values of the body variables; each overrides the campaign’s value',
  })
  body_data?: BodyDataField | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    nullable: true,
    description: 'Value of the variable in a TEXT header; overrides the campaign’s value',
  })
  header_data?: Record<string, string> | null;

  @ApiPropertyOptional({
    type: [ButtonParamField],
    maxItems: MAX_BUTTONS,
    nullable: true,
    description: 'Each overrides the campaign’s parameters of the same button',
  })
  button_params?: ButtonParamField[] | null;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    maxLength: MAX_URL,
    description: 'Replaces the campaign’s media URL; fetched when this recipient is sent to',
  })
  media_url?: string | null;
}

/** The first problem with an entry's own values, or null. */
export function personalFault(path: string, entry: Readonly<Record<string, unknown>>): string | null {
  const { body_data, header_data, button_params, media_url } = entry;
  return (
    (isGiven(body_data) && bodyDataFault(`${path}.body_data`, body_data)) ||
    (isGiven(header_data) && headerDataFault(`${path}.header_data`, header_data)) ||
    (isGiven(button_params) && buttonParamsFault(`${path}.button_params`, button_params)) ||
    (isGiven(media_url) && textFault(`${path}.media_url`, media_url, MAX_URL)) ||
    null
  );
}

/** An entry's own values, or null when it has none; blank values count as absent. */
export function personalValues(fields: PersonalFields): PersonalValues | null {
  const bodyData = keyed(bodyValues(fields.body_data ?? {}));
  const headerData = keyed(fields.header_data ?? {});
  const buttonParams = (fields.button_params ?? []).map(buttonInput).filter(fillsSomething);
  const mediaUrl = fields.media_url?.trim() ? fields.media_url : null;
  if (bodyData === null && headerData === null && buttonParams.length === 0 && mediaUrl === null) return null;
  return {
    ...(bodyData === null ? {} : { bodyData }),
    ...(headerData === null ? {} : { headerData }),
    ...(buttonParams.length === 0 ? {} : { buttonParams }),
    ...(mediaUrl === null ? {} : { mediaUrl }),
  };
}

/** Body values in stored form. */
export const bodyValues = (data: BodyDataField): Record<string, BodyValue> =>
  Object.fromEntries(Object.entries(data).map(([variable, value]) => [variable, bodyValue(value)]));

const bodyValue = (value: string | ContactFieldField): BodyValue =>
  typeof value === 'string'
    ? value
    : { contactField: value.contact_field, fallback: value.fallback?.trim() ? value.fallback : null };

/** Stored body values in the form of the API. */
export const bodyDataOf = (data: Readonly<Record<string, BodyValue>>): BodyDataField =>
  Object.fromEntries(
    Object.entries(data).map(([variable, value]) => [
      variable,
      typeof value === 'string' ? value : { contact_field: value.contactField, fallback: value.fallback },
    ]),
  );

/** The values that are not blank, keyed by lower-case name; null when there are none. */
function keyed<Value extends BodyValue>(data: Readonly<Record<string, Value>>): Record<string, Value> | null {
  const given = Object.entries(data).filter(([, value]) => typeof value !== 'string' || value.trim() !== '');
  if (given.length === 0) return null;
  return Object.fromEntries(given.map(([variable, value]) => [variableKey(variable), value]));
}

function buttonInput({ index, url_param, payload, coupon_code }: ButtonParamField): ButtonInput {
  return { index, urlParam: url_param || null, payload: payload || null, couponCode: coupon_code || null };
}

const fillsSomething = ({ urlParam, payload, couponCode }: ButtonInput): boolean =>
  urlParam !== null || payload !== null || couponCode !== null;

/** Validates `body_data`. */
export const BodyData = (): PropertyDecorator =>
  ValidateBy({
    name: 'bodyData',
    validator: {
      validate: (value, found) => bodyDataFault(found?.property ?? 'body_data', value) === null,
      defaultMessage: (found?: ValidationArguments) =>
        bodyDataFault(found?.property ?? 'body_data', found?.value) ?? '',
    },
  });

function bodyDataFault(path: string, data: unknown): string | null {
  if (!isPlainObject(data)) return wrongType(path, 'an object that maps variables to values', data);
  for (const [variable, value] of Object.entries(data)) {
    const fault = typeof value === 'string' ? null : contactFieldFault(`${path}.${variable}`, value);
    if (fault !== null) return fault;
  }
  return null;
}

function contactFieldFault(path: string, value: unknown): string | null {
  if (!isPlainObject(value)) return wrongType(path, 'a string or {contact_field, fallback?}', value);
  const { contact_field, fallback } = value;
  if (!CONTACT_FIELDS.includes(contact_field as ContactField)) {
    return wrongChoice(`${path}.contact_field`, contact_field, CONTACT_FIELDS);
  }
  if (!isGiven(fallback) || typeof fallback === 'string') return null;
  return wrongType(`${path}.fallback`, 'a string', fallback);
}

function headerDataFault(path: string, data: unknown): string | null {
  if (!isPlainObject(data)) return wrongType(path, 'an object of strings', data);
  for (const [variable, value] of Object.entries(data)) {
    if (typeof value !== 'string') return wrongType(`${path}.${variable}`, 'a string', value);
  }
  return null;
}

function buttonParamsFault(path: string, params: unknown): string | null {
  if (!Array.isArray(params)) return wrongType(path, 'an array of objects', params);
  if (params.length > MAX_BUTTONS) return `${path} must have at most ${MAX_BUTTONS} entries (got ${params.length})`;
  const seen = new Set<unknown>();
  for (const [place, param] of params.entries()) {
    const fault = buttonFault(`${path}[${place}]`, param);
    if (fault !== null) return fault;
    const { index } = param as ButtonParamField;
    if (seen.has(index)) return `${path}[${place}].index names the button ${index} a second time`;
    seen.add(index);
  }
  return null;
}

function buttonFault(path: string, param: unknown): string | null {
  if (!isPlainObject(param)) return wrongType(path, 'an object', param);
  const { index, url_param, payload, coupon_code } = param;
  if (isGiven(index) && typeof index !== 'number') return wrongType(`${path}.index`, 'a number', index);
  if (!Number.isSafeInteger(index) || (index as number) < 0 || (index as number) >= MAX_BUTTONS) {
    return `${path}.index must be a whole number from 0 to ${MAX_BUTTONS - 1} (got ${shown(index)})`;
  }
  return (
    (isGiven(url_param) && textFault(`${path}.url_param`, url_param, MAX_URL_SUFFIX)) ||
    (isGiven(payload) && textFault(`${path}.payload`, payload, MAX_PAYLOAD)) ||
    (isGiven(coupon_code) && textFault(`${path}.coupon_code`, coupon_code, MAX_COUPON)) ||
    null
  );
}

/** The problem with a text that may have up to `max` code points, or null. */
export function textFault(path: string, value: unknown, max: number): string | null {
  if (typeof value !== 'string') return wrongType(path, 'a string', value);
  // A code point takes one or two UTF-16 units, so a text that is short enough in units need not be counted.
  if (value.length <= max || characters(value) <= max) return null;
  return `${path} must be at most ${max} characters (got ${characters(value)})`;
}

/** Whether an optional field is present; null counts as absent. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null;
