import { ApiProperty } from '@nestjs/swagger';
import { MAX_URL_CHARACTERS } from '../../egress/url-rules.js';
import {
  isAbsent,
  isPlainObject,
  Optional,
  shown,
  Text,
  wrongChoice,
  wrongTypeUnquoted,
} from '../../http/field-rules.js';
import { ObjectList, TextMap } from '../../http/list-rules.js';
import { declares, rule } from '../../http/request-fields.js';
import { VARIABLE_COLUMNS } from '../../people/contact-columns.js';
import { Reference } from '../../sending/dto/send-extras.js';
import { ButtonParamField } from '../../templates/dto/sending-fields.dto.js';
import type { ButtonInput } from '../../templates/rendering/sending-input.js';
import { MAX_BUTTONS } from '../../templates/template.js';
import { variableKey } from '../authoring/campaign-content.js';
import { type BodyValue, type ContactField, type PersonalValues } from '../campaign.js';

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
          contact_field: { type: 'string', enum: [...VARIABLE_COLUMNS] },
          fallback: { type: 'string', nullable: true, description: 'Used when the field is empty' },
        },
      },
    ],
  },
  example: { '1': { contact_field: 'first_name', fallback: 'there' }, '2': '4711' },
};

/** Values of body variables. Messages quote none of them: one may be a one-time code. */
export const BodyData = (): PropertyDecorator => (target, property) => {
  declares((field) => {
    field.valueFields = ['contact_field', 'fallback'] satisfies (keyof ContactFieldField)[];
  })(target, property);
  rule(BODY_DATA_SCHEMA, { wrong: bodyDataFault })(target, property);
};

/** Refuses parameters of a button that an entry before has. */
const OncePerButton = (): PropertyDecorator =>
  rule<readonly { readonly index: unknown }[]>(
    {},
    {
      wrong: () => null,
      beyond: (path, params) => {
        const indexes = params.map(({ index }) => index);
        const twice = indexes.findIndex((index, place) => !isAbsent(index) && indexes.indexOf(index) < place);
        return twice < 0 ? null : `${path}[${twice}].index names the button ${indexes[twice]} a second time`;
      },
    },
  );

/** One recipient's own values. */
export class PersonalFields {
  @ApiProperty({ description: 'Values of the body variables; each overrides the campaign’s value' })
  @Optional()
  @BodyData()
  body_data?: BodyDataField | null;

  @ApiProperty({ description: 'Value of the variable in a TEXT header; overrides the campaign’s value' })
  @Optional()
  @TextMap({ quoted: true })
  header_data?: Record<string, string> | null;

  @ApiProperty({ description: 'Each overrides the campaign’s parameters of the same button' })
  @Optional()
  @OncePerButton()
  @ObjectList(ButtonParamField, { max: MAX_BUTTONS })
  button_params?: ButtonParamField[] | null;

  @ApiProperty({ description: 'Replaces the campaign’s media URL; fetched when this recipient is sent to' })
  @Optional()
  @Text({ max: MAX_URL_CHARACTERS, blank: true })
  media_url?: string | null;

  @Reference()
  reference?: string | null;
}

/** An entry's own values, or null when it has none; blank values count as absent. */
export function personalValues(fields: PersonalFields): PersonalValues | null {
  const bodyData = keyed(bodyValues(fields.body_data ?? {}));
  const headerData = keyed(fields.header_data ?? {});
  const buttonParams = (fields.button_params ?? []).map(buttonInput).filter(fillsSomething);
  const mediaUrl = fields.media_url?.trim() ? fields.media_url : null;
  const reference = fields.reference?.trim() ? fields.reference : null;
  const isPlain = bodyData === null && headerData === null && buttonParams.length === 0 && mediaUrl === null;
  if (isPlain && reference === null) return null;
  return {
    ...(reference === null ? {} : { reference }),
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

function bodyDataFault(path: string, data: unknown): string | null {
  if (!isPlainObject(data)) return wrongTypeUnquoted(path, 'an object that maps variables to values', data);
  for (const [variable, value] of Object.entries(data)) {
    const fault = typeof value === 'string' ? null : contactFieldFault(`${path}.${shown(variable)}`, value);
    if (fault !== null) return fault;
  }
  return null;
}

function contactFieldFault(path: string, value: unknown): string | null {
  if (!isPlainObject(value)) return wrongTypeUnquoted(path, 'a string or {contact_field, fallback?}', value);
  const { contact_field, fallback } = value;
  if (!VARIABLE_COLUMNS.includes(contact_field as ContactField)) {
    return wrongChoice(`${path}.contact_field`, contact_field, VARIABLE_COLUMNS);
  }
  if (isAbsent(fallback) || typeof fallback === 'string') return null;
  return wrongTypeUnquoted(`${path}.fallback`, 'a string', fallback);
}
