import type { ButtonParamField, TemplateRecord } from '../../../../clients/typescript/src/generated/schema.js';
import { inboxTemplateWords } from '../../../words/inbox-template.js';
import type { TemplateChoice } from './template-choice.js';
import type { TemplateField } from './template-fields.js';

/** What was entered, by the name of the field. */
export type Values = Readonly<Record<string, string>>;

/** What was entered for a template. */
export interface FilledTemplate {
  /** Its id. */
  readonly template: string;
  readonly values: Values;
}

/** Under which the id of an uploaded file is kept, and its name. */
export const MEDIA_ID = 'media_id';
export const MEDIA_NAME = 'media_name';

const BUTTON = /^button_params\[(\d+)\]\.(\w+)$/;

/** What is wrong with the values, by the name of the field: what can be told without asking. */
export function problemsOf(fields: readonly TemplateField[], values: Values, now: Date): Map<string, string> {
  const { problems } = inboxTemplateWords;
  const found = new Map<string, string>();
  for (const { name, kind, isRequired } of fields) {
    const value = values[name]?.trim() ?? '';
    if (name === 'media_url' && values[MEDIA_ID]) continue;
    if (value === '') {
      if (isRequired) found.set(name, problems[kind]);
    } else if (kind === 'number' && !Number.isFinite(Number(value))) found.set(name, problems.number);
    else if (kind === 'time' && !(new Date(value) > now)) found.set(name, problems.future);
  }
  return found;
}

/** The template with its values, as the API takes it. */
export function requestOf(
  { name, language }: Pick<TemplateRecord, 'name' | 'language'>,
  fields: readonly TemplateField[],
  values: Values,
): TemplateChoice['request'] {
  const given = fields.flatMap((one): [string, string][] => {
    const value = values[one.name]?.trim() ?? '';
    return value === '' ? [] : [[one.name, value]];
  });
  const get = (field: string): string | undefined => given.find(([name]) => name === field)?.[1];
  const [bodyData, headerData] = [under('body_data.', given), under('header_data.', given)];
  const buttons = given.flatMap(([field, value]): ButtonParamField[] => {
    const [, index, parameter = ''] = BUTTON.exec(field) ?? [];
    return index === undefined ? [] : [{ index: Number(index), [parameter]: value }];
  });
  const upload = values[MEDIA_ID];
  const [media, filename, expiry] = [get('media_url'), get('filename'), get('expiration_time_ms')];
  const [latitude, longitude] = [get('location.latitude'), get('location.longitude')];
  return {
    template_name: name,
    template_language: language,
    ...(bodyData !== null && { body_data: bodyData }),
    ...(headerData !== null && { header_data: headerData }),
    ...(upload ? { media_id: upload } : media !== undefined && { media_url: media }),
    ...(filename !== undefined && { filename }),
    ...(latitude !== undefined &&
      longitude !== undefined && {
        location: {
          latitude: Number(latitude),
          longitude: Number(longitude),
          name: get('location.name') ?? null,
          address: get('location.address') ?? null,
        },
      }),
    ...(expiry !== undefined && { expiration_time_ms: new Date(expiry).getTime() }),
    ...(buttons.length > 0 && { button_params: buttons }),
  };
}

function under(prefix: string, given: readonly (readonly [string, string])[]): Record<string, string> | null {
  const values = given.filter(([name]) => name.startsWith(prefix));
  return values.length === 0
    ? null
    : Object.fromEntries(values.map(([name, value]) => [name.slice(prefix.length), value]));
}

/**
 * The field that the API’s words are about; null for none. It counts the buttons as they were sent, without those that
 * have no value.
 */
export function fieldOfDetail(detail: string, fields: readonly TemplateField[], values: Values): string | null {
  let sent = 0;
  for (const { name } of fields) {
    const isSent = BUTTON.test(name) && (values[name]?.trim() ?? '') !== '';
    if (name === 'media_url' && /^media_id\b/.test(detail)) return name;
    const said = isSent ? name.replace(/\d+/, String(sent++)) : name;
    if (isNamed(said, detail)) return name;
  }
  return null;
}

/** Whether a sentence has a name, not as a part of a longer one. */
function isNamed(name: string, sentence: string): boolean {
  for (let at = sentence.indexOf(name); at >= 0; at = sentence.indexOf(name, at + 1)) {
    const isBegin = at === 0 || /[\s,]/.test(sentence.charAt(at - 1));
    if (isBegin && !/[\w.[]/.test(sentence.charAt(at + name.length))) return true;
  }
  return false;
}
