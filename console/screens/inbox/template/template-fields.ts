import type { TemplateRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { inboxTemplateWords } from '../../../words/inbox-template.js';
import { aroundOf } from './around.js';
import { type KnownPerson, personalValue } from './personal-value.js';

export type FieldKind = 'text' | 'url' | 'number' | 'time';

/** A value that somebody enters for a template. */
export interface TemplateField {
  /** As the API names it: `body_data.1`, `media_url`, `button_params[2].url_param`; of buttons with their place. */
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** The words in which it will stand, where its label does not say what it is. */
  readonly around: string | null;
  readonly hint: string | null;
  /** What stands in it at first. */
  readonly initial: string;
}

type Fillable = Pick<
  TemplateRecord,
  'header_format' | 'body' | 'buttons' | 'components' | 'limited_time_offer' | 'offer_code'
>;

const NUMBER = /^\d+$/;
const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;

/** The variables of a text, each once: numbers in their order, names as they come. */
export function variablesOf(text: string): string[] {
  const names = [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name.toLowerCase()))];
  return names.every((name) => NUMBER.test(name)) ? names.sort((one, other) => Number(one) - Number(other)) : names;
}

/**
 * What a template needs to be sent, in the order of the message.
 *
 * @param person whose values are filled in where a name fits; null for nobody known
 */
export function fieldsOf(template: Fillable, person: KnownPerson | null): TemplateField[] {
  return [
    ...headerFields(template, person),
    ...textFields('body_data', template.body, examplesOf(template, 'BODY'), person),
    ...(template.limited_time_offer === null ? [] : [field('expiration_time_ms', words.expiry, { kind: 'time' })]),
    ...buttonFields(template),
  ];
}

const words = inboxTemplateWords.fields;

const field = (name: string, label: string, more: Partial<TemplateField> = {}): TemplateField => ({
  name,
  label,
  kind: 'text',
  isRequired: true,
  around: null,
  hint: null,
  initial: '',
  ...more,
});

function headerFields(template: Fillable, person: KnownPerson | null): TemplateField[] {
  const { header_format: format } = template;
  if (format === 'TEXT') {
    const fields = textFields('header_data', headerText(template) ?? '', examplesOf(template, 'HEADER'), person);
    return fields.map((one) => ({ ...one, label: words.header(one.label) }));
  }
  if (format === 'LOCATION') {
    return [
      field('location.latitude', words.latitude, { kind: 'number' }),
      field('location.longitude', words.longitude, { kind: 'number' }),
      field('location.name', words.place, { isRequired: false }),
      field('location.address', words.address, { isRequired: false }),
    ];
  }
  const label = words.media[format];
  if (label === undefined) return [];
  const media = field('media_url', label, { kind: 'url', hint: words.mediaHint });
  return format === 'DOCUMENT' ? [media, field('filename', words.filename, { isRequired: false })] : [media];
}

function textFields(
  of: 'body_data' | 'header_data',
  text: string,
  examples: ReadonlyMap<string, string>,
  person: KnownPerson | null,
): TemplateField[] {
  return variablesOf(text).map((name) => {
    const example = examples.get(name);
    const around = NUMBER.test(name) ? aroundOf(name, text) : null;
    return field(`${of}.${name}`, labelOf(name), {
      around: around === null ? null : words.around(around.before, around.after),
      hint: example === undefined || example === name ? null : words.example(example),
      initial: person === null ? '' : personalValue(name, text, person),
    });
  });
}

/** A variable as people read it: `first_name` becomes “First name”. */
function labelOf(name: string): string {
  if (NUMBER.test(name)) return words.numbered(name);
  const said = name.replaceAll('_', ' ').trim();
  return said.charAt(0).toUpperCase() + said.slice(1);
}

function buttonFields({ buttons, offer_code }: Fillable): TemplateField[] {
  return buttons.flatMap(({ type, text = '', url = '', url_example, copy_code_example }, place): TemplateField[] => {
    if (type === 'URL' && variablesOf(url).length > 0) {
      const hint = url_example === undefined ? url : words.example(url_example);
      return [field(`button_params[${place}].url_param`, words.suffix(text), { hint })];
    }
    if (type !== 'COPY_CODE') return [];
    return [
      field(`button_params[${place}].coupon_code`, words.coupon, { initial: offer_code ?? copy_code_example ?? '' }),
    ];
  });
}

/** The text of a title; null without one. */
export function headerText({
  header_format,
  components,
}: Pick<Fillable, 'header_format' | 'components'>): string | null {
  const text = header_format === 'TEXT' ? componentOf(components, 'HEADER')?.['text'] : null;
  return typeof text === 'string' && text !== '' ? text : null;
}

const componentOf = (components: Fillable['components'], type: string): Readonly<Record<string, unknown>> | undefined =>
  components.find((part) => String(part['type']).toUpperCase() === type);

/** The examples that the template was submitted with, by variable. */
function examplesOf({ components }: Fillable, type: 'HEADER' | 'BODY'): ReadonlyMap<string, string> {
  const example = (componentOf(components, type)?.['example'] ?? {}) as Readonly<Record<string, unknown>>;
  const kind = type.toLowerCase();
  const named = example[`${kind}_text_named_params`];
  if (Array.isArray(named)) {
    return new Map(named.map(({ param_name, example: value }) => [String(param_name).toLowerCase(), String(value)]));
  }
  const listed = example[`${kind}_text`];
  const values: unknown = Array.isArray(listed) && Array.isArray(listed[0]) ? listed[0] : listed;
  return Array.isArray(values) ? new Map(values.map((value, place) => [String(place + 1), String(value)])) : new Map();
}
