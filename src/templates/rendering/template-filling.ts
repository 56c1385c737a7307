import type { MediaKind } from '../../egress/media-limits.js';
import { badRequest } from '../../errors/domain-error.js';
import { characters } from '../../http/field-rules.js';
import { uploadMark } from '../../media/upload-mark.js';
import { newRecordId, type RecordId } from '../../values/record-id.js';
import { encodeUrlSuffix } from '../../values/url-encoding.js';
import type { MediaFormat } from '../template.js';
import type { VariableText } from '../template-content.js';
import { fill } from '../template-variables.js';
import { MAX_URL_SUFFIX, type MediaInput } from './sending-input.js';

/** A parameter of a component in a send request. */
export type Parameter = Readonly<Record<string, unknown>>;

/** A customer's file that goes out with the message: at a URL, or uploaded. */
export type NeededMedia = NeededLink | NeededUpload;

interface NeededFile {
  /** The request field that names it: `media_url`, `carousel_data[0].media_id`. */
  readonly field: string;
  readonly kind: MediaKind;
  /** Whether it is a document that neither the send nor its URL names; then its type decides its name. */
  readonly isNameless: boolean;
}

export interface NeededLink extends NeededFile {
  readonly url: string;
}

export interface NeededUpload extends NeededFile {
  readonly fileId: RecordId;
}

/** A file as the network's request names it. */
export type Medium = { readonly link: string } | { readonly id: string };

/** The network's name for the file of each header format. */
export const MEDIA_KINDS: Readonly<Record<MediaFormat, MediaKind>> = {
  IMAGE: 'image',
  VIDEO: 'video',
  DOCUMENT: 'document',
};

/** Builds the header component for a file. */
export const mediaHeader = (kind: MediaKind, medium: Medium & { readonly filename?: string }): object => ({
  type: 'header',
  parameters: [{ type: kind, [kind]: medium }],
});

/** The network rejects such text as a parameter (132018). */
const UNFIT = /[\n\r\t]| {5}/;

/** How a template is filled in. */
export interface FillingOptions {
  /** Whether the values were accepted before: neither their length nor their use is judged again. */
  readonly isStored?: boolean;
  /** Generates the token of a FLOW button. */
  readonly newFlowToken?: () => string;
}

/** Collects missing fields and needed media while the parts of a template are filled in. */
export class Filling {
  /** Fields the template needs and the send did not provide. */
  readonly missing: string[] = [];
  readonly media: NeededMedia[] = [];

  readonly newFlowToken: () => string;
  readonly isStored: boolean;

  constructor({ isStored = false, newFlowToken = newRecordId }: FillingOptions) {
    this.isStored = isStored;
    this.newFlowToken = newFlowToken;
  }

  /** Returns `value`, or null after recording `field` as missing; a blank text counts as missing. */
  need(field: string, value: string | null | undefined): string | null {
    if (value !== null && value !== undefined && value.trim() !== '') return value;
    this.missing.push(field);
    return null;
  }

  /**
   * Like {@link need}, and records the file so that it can be checked.
   *
   * @param path of the object that names it, with a dot behind it
   */
  needMedia(path: string, { mediaUrl, mediaId }: MediaInput, kind: MediaKind, isNameless = false): Medium | null {
    if (mediaId !== undefined) {
      this.media.push({ field: `${path}media_id`, fileId: mediaId, kind, isNameless });
      return { id: uploadMark(mediaId) };
    }
    const url = this.need(`${path}media_url`, mediaUrl);
    if (url === null) return null;
    this.media.push({ field: `${path}media_url`, url, kind, isNameless });
    return { link: url };
  }

  /**
   * What completes the URL of a button, percent-encoded.
   *
   * @param url of the template
   * @throws DomainError 400 when it is too long for the network
   */
  suffix(field: string, given: string, url: string | null): string {
    const encoded = encodeUrlSuffix(given, url ?? '');
    if (!this.isStored && encoded.length > MAX_URL_SUFFIX) {
      const most = `at most ${MAX_URL_SUFFIX} characters when percent-encoded`;
      throw badRequest(`${field} must be ${most} (got ${encoded.length})`);
    }
    return encoded;
  }

  /**
   * Fills in a text. Variables without a value stay as they are and are recorded as missing.
   *
   * @param data values by variable; keys are case-insensitive, surplus ones are ignored
   * @param named whether parameters are sent by name
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

/** @throws DomainError 400 for a text the network would reject as a parameter */
export function checkParameter(field: string, value: string): void {
  if (UNFIT.test(value)) {
    throw badRequest(`${field} must not contain line breaks, tabs or more than 4 spaces in a row`);
  }
}

/** @throws DomainError 400 when a filled-in text is longer than `max` characters */
export function checkFilled(field: string, text: string, max: number): void {
  const found = characters(text);
  if (found > max) throw badRequest(`${field} must be at most ${max} characters (got ${found})`);
}
