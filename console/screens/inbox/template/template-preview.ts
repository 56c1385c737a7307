import type { TemplateRecord } from '../../../../clients/typescript/src/generated/schema.js';
import type { ShownMessage } from '../../../parts/shown-message.js';
import { messageOf } from '../../campaign/message-parts.js';
import type { TemplateField } from './template-fields.js';
import { MEDIA_NAME, type Values } from './template-request.js';

const VARIABLE = /\{\{\s*([^{}\s]+)\s*\}\}/g;

/** A template with what was entered; what is missing shows the label of its field. */
export function previewOf(template: TemplateRecord, fields: readonly TemplateField[], values: Values): ShownMessage {
  const text = (name: string): string => values[name]?.trim() ?? '';
  const under = (prefix: string): Record<string, string> =>
    Object.fromEntries(
      fields
        .filter(({ name }) => name.startsWith(prefix))
        .flatMap(({ name, label }) => spellings(name.slice(prefix.length)).map((one) => [one, text(name) || label])),
    );
  const place = text('location.name') || text('location.address');
  return messageOf(template, {
    body_data: under('body_data.'),
    header_data: under('header_data.'),
    media_url: text('media_url') || null,
    filename: text('filename') || text(MEDIA_NAME) || null,
    location: place === '' ? null : { latitude: 0, longitude: 0, name: place },
  });

  /** As the text may write a variable, which is kept in lower case. */
  function spellings(variable: string): string[] {
    const written = [...`${template.body}`.matchAll(VARIABLE)].map(([, name = '']) => name);
    return [variable, ...written.filter((name) => name.toLowerCase() === variable.toLowerCase())];
  }
}

/** What the person reads, in one text. */
export const textOf = ({ body }: ShownMessage): string => body.map(({ text }) => text).join('');
