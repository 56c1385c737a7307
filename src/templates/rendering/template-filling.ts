import type { MediaKind } from '../../egress/media-limits.js';
import { badRequest } from '../../errors/domain-error.js';
import { characters } from '../../http/field-rules.js';
import type { MediaFormat } from '../template.js';
import type { VariableText } from '../template-content.js';
import { fill } from '../template-variables.js';

/** A parameter of the network's send components. */
export type Parameter = Readonly<Record<string, unknown>>;

/** A customer's file that goes out with the message. */
export interface NeededMedia {
  /** How errors call its URL: `media_url`, `carousel_data[0].media_url`. */
  readonly field: string;
  readonly url: string;
  readonly kind: MediaKind;
}

/** What the network calls the files of a header format. */
export const MEDIA_KINDS: Readonly<Record<MediaFormat, MediaKind>> = {
  IMAGE: 'image',
  VIDEO: 'video',
  DOCUMENT: 'document',
};

/** The network takes no such text as a parameter (132018). */
const UNFIT = /[\n\r\t]| {5}/;

/** Gathers what a send lacks and needs, while the parts of a template are filled in one after the other. */
export class Filling {
  /** Fields that the template needs and the send did not bring. */
  readonly missing: string[] = [];
  readonly media: NeededMedia[] = [];

  /** `value`, or null after noting that `field` is missing; a blank text is missing too. */
  need(field: string, value: string | null | undefined): string | null {
    if (value !== null && value !== undefined && value.trim() !== '') return value;
    this.missing.push(field);
    return null;
  }

  /** A file of the customer's, by its URL. */
  needMedia(field: string, url: string | null, kind: MediaKind): string | null {
    const given = this.need(field, url);
    if (given !== null) this.media.push({ field, url: given, kind });
    return given;
  }

  /**
   * Fills in a text; variables that are not given stay as they are, and are noted as missing.
   *
   * @param data values by variable; keys are compared without case, surplus ones ignored
   * @param named whether parameters go out by name
   */
  text(
    field: string,
    { text, variables }: VariableText,
    data: Readonly<Record<string, string>>,
    named: boolean,
  ): { text: string; parameters: Parameter[] } {
    const given = new Map(Object.entries(data).map(([key, value]) => [key.trim().toLowerCase(), value]));
    const values = new Map<string, string>();
    for (const variable of variables) {
      const value = this.need(`${field}.${variable}`, given.get(variable));
      if (value === null) continue;
      checkParameter(`${field}.${variable}`, value);
      values.set(variable, value);
    }
    const parameters = [...values].map(([variable, value]) => ({
      type: 'text',
      ...(named ? { parameter_name: variable } : {}),
      text: value,
    }));
    return { text: fill(text, values), parameters };
  }
}

/** @throws DomainError 400 for a text that the network takes as no parameter */
export function checkParameter(field: string, value: string): void {
  if (UNFIT.test(value)) {
    throw badRequest(`${field} must not contain line breaks, tabs or more than 4 spaces in a row`);
  }
}

/** @throws DomainError 400 when a text is longer than the network takes it */
export function checkFilled(field: string, text: string, most: number): void {
  const found = characters(text);
  if (found > most) throw badRequest(`${field} must be at most ${most} characters (got ${found})`);
}
