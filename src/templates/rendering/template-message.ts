import { nameInUrl } from '../../egress/file-name.js';
import { badRequest, type DomainError } from '../../errors/domain-error.js';
import { characters, isPlainObject, withSuggestion } from '../../http/field-rules.js';
import type { Template } from '../template.entity.js';
import { isMediaFormat } from '../template.js';
import { contentOf, type TemplateContent, type TemplateHeader } from '../template-content.js';
import { unsupportedParts } from '../template-support.js';
import { fill, styleOf } from '../template-variables.js';
import { buttonComponent, type FilledButton, fillButtons } from './button-filling.js';
import { fillCarousel } from './carousel-filling.js';
import { CODE_MASK, CODE_VARIABLE } from './one-time-code.js';
import type { LocationInput, SendingInput } from './sending-input.js';
import {
  checkFilled,
  Filling,
  type FillingOptions,
  MEDIA_KINDS,
  mediaHeader,
  type NeededMedia,
} from './template-filling.js';

/** The network's limits for filled-in texts, characters; a template that has only a body may grow longer. */
const MAX_HEADER = 60;
const MAX_BODY = 1024;
const MAX_BODY_ALONE = 32_768;
/** A one-time code, characters. */
const MAX_CODE = 15;
/** Surplus keys that are compared with the missing variables. */
const MAX_COMPARED = 20;

/** The columns of a template that rendering reads. */
export type RenderableTemplate = Pick<Template, 'name' | 'category' | 'parameterFormat' | 'components' | 'offerCode'>;

/** A template with its components parsed, ready to be filled in any number of times. */
export interface ParsedTemplate {
  readonly template: RenderableTemplate;
  readonly content: TemplateContent;
  /** How every message of a template without variables, buttons and files looks; null for other templates. */
  readonly fixed: RenderedTemplate | null;
}

/** A template filled in for sending. */
export interface RenderedTemplate {
  /** `template.components` of the send request. */
  readonly components: readonly object[];
  /** The body as the recipient reads it, except for {@link CODE_MASK} in place of a one-time code. */
  readonly content: string;
  /** The one-time code in {@link components}, never to be stored or logged; null unless the template is AUTHENTICATION. */
  readonly code: string | null;
  /** The customer's files that go with it; probe them before sending. */
  readonly media: readonly NeededMedia[];
  readonly look: TemplateLook;
}

/** What the recipient sees around the body. */
export type TemplateLook = Pick<TemplatePreview, 'header' | 'footer' | 'buttons'>;

/** A template filled in as far as the given values allow. */
export interface PartiallyRendered extends RenderedTemplate {
  /** Fields that a send would still need. */
  readonly missing: readonly string[];
}

/** How a message will look, and which fields are missing. */
export interface TemplatePreview {
  /** Text of a TEXT header, URL or id of a medium, or a location; null without a header. */
  readonly header: string | null;
  readonly body: string;
  readonly footer: string | null;
  readonly buttons: readonly FilledButton[];
  /** Fields that a send would still need. */
  readonly missing: readonly string[];
  /** Parts that no send can fill in, as {@link unsupportedParts}. */
  readonly unsupported: readonly string[];
}

/**
 * Fills in a template for sending.
 *
 * @param at when it is sent: a limited-time offer must expire after that
 * @param options for messages that were stored before, and for flows
 * @throws DomainError 400 naming all missing fields, or the first invalid value
 */
export function renderTemplateMessage(
  template: RenderableTemplate,
  input: SendingInput,
  at: Date,
  options: FillingOptions = {},
): RenderedTemplate {
  const parsed = parseTemplate(template);
  if (parsed.fixed !== null && input.buttonParams.length === 0) return parsed.fixed;
  const { missing, ...rendered } = renderPartially(parsed, input, at, options);
  if (missing.length === 0) return rendered;
  throw valuesMissing(template, missing, misspelledVariable(missing, parsed.content.body.variables, input.bodyData));
}

/** Like {@link renderTemplateMessage}, but returns the missing fields instead of throwing. */
export function renderPartially(
  template: ParsedTemplate,
  input: SendingInput,
  at: Date,
  options: FillingOptions = {},
): PartiallyRendered {
  const { components, body, code, filling, ...look } = fillTemplate(template, input, at, options);
  return { components, content: body, code, media: filling.media, look, missing: filling.missing };
}

/** @param hint what the caller may have meant; null for none */
export const valuesMissing = (
  { name }: Pick<Template, 'name'>,
  fields: readonly string[],
  hint: string | null = null,
): DomainError => badRequest(`template ${name} requires ${fields.join(', ')}${hint === null ? '' : `; ${hint}`}`);

/** Says that a key of `body_data` is no variable of the template but resembles a missing one; null without such a key. */
function misspelledVariable(
  missing: readonly string[],
  variables: readonly string[],
  bodyData: SendingInput['bodyData'],
): string | null {
  // Numbers resemble each other, so only names are compared.
  const wanted = variables.filter((name) => styleOf(name) === 'named' && missing.includes(`body_data.${name}`));
  if (wanted.length === 0) return null;
  const surplus = Object.keys(bodyData).filter((key) => !variables.includes(key.trim().toLowerCase()));
  for (const key of surplus.slice(0, MAX_COMPARED)) {
    const problem = `body_data.${key} is not a variable of the template`;
    const hint = withSuggestion(problem, key, wanted);
    if (hint !== problem) return hint;
  }
  return null;
}

/**
 * Shows what {@link renderTemplateMessage} would send, without a one-time code, and which fields are missing. Invalid values are a 400, as in a
 * send. If the header's file is missing, the example file is shown.
 */
export function previewTemplateMessage(
  template: RenderableTemplate & Pick<Template, 'mediaUrl'>,
  input: SendingInput,
  at: Date,
): TemplatePreview {
  const options = { newFlowToken: () => 'preview' };
  const { header, body, footer, buttons, filling } = fillTemplate(parseTemplate(template), input, at, options);
  const unsupported = unsupportedParts(template);
  return { header: header ?? template.mediaUrl, body, footer, buttons, missing: filling.missing, unsupported };
}

interface FilledTemplate extends Omit<TemplatePreview, 'missing' | 'unsupported'> {
  readonly components: readonly object[];
  readonly code: string | null;
  readonly filling: Filling;
}

function fillTemplate(
  { template, content }: ParsedTemplate,
  input: SendingInput,
  at: Date,
  options: FillingOptions,
): FilledTemplate {
  const filling = new Filling(options);
  if (template.category === 'AUTHENTICATION') return fillAuthentication(content, input, filling);
  const named = template.parameterFormat === 'NAMED';
  const header = fillHeader(content.header, input, named, filling);
  const body = filling.text('body_data', content.body, input.bodyData, named);
  checkFilled('the body with its variables', body.text, isBodyAlone(content) ? MAX_BODY_ALONE : MAX_BODY);
  const offer = content.limitedTimeOffer === null ? null : fillOffer(input.expirationTimeMs, at, filling);
  const carousel = content.cards === null ? null : fillCarousel(content.cards, input.carouselData, filling);
  const { buttons, components } = fillButtons(content.buttons, input.buttonParams, template.offerCode, filling);
  const bodyComponent = body.parameters.length === 0 ? null : { type: 'body', parameters: body.parameters };
  return {
    header: header?.shown ?? null,
    body: body.text,
    footer: content.footer,
    buttons,
    components: [header?.component, bodyComponent, offer, carousel, ...components].filter(isPresent),
    code: null,
    filling,
  };
}

/** Of templates as they were read, which never change. */
const parsed = new WeakMap<RenderableTemplate, ParsedTemplate>();

/** @throws DomainError 400 when the stored components are not an array of objects */
export function parseTemplate(template: RenderableTemplate): ParsedTemplate {
  let known = parsed.get(template);
  if (known === undefined) {
    known = readTemplate(template);
    parsed.set(template, known);
  }
  return known;
}

function readTemplate(template: RenderableTemplate): ParsedTemplate {
  const { name, components } = template;
  if (!Array.isArray(components) || !components.every(isPlainObject)) {
    throw badRequest(`template ${name} is stored in a broken form. Run POST /api/v1/templates/sync to reload it`);
  }
  const content = contentOf(components);
  return { template, content, fixed: isFixed(template, content) ? fixedMessage(content) : null };
}

/** Whether nothing that a send gives can change the message. */
function isFixed({ category }: RenderableTemplate, content: TemplateContent): boolean {
  const { body } = content;
  return (
    category !== 'AUTHENTICATION' &&
    isBodyAlone(content) &&
    body.variables.length === 0 &&
    characters(body.text) <= MAX_BODY_ALONE
  );
}

const fixedMessage = ({ body, footer }: TemplateContent): RenderedTemplate => ({
  components: [],
  content: body.text,
  code: null,
  media: [],
  look: { header: null, footer, buttons: [] },
});

const isPresent = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined;

const isBodyAlone = ({ header, buttons, cards, limitedTimeOffer }: TemplateContent): boolean =>
  header === null && buttons.length === 0 && cards === null && limitedTimeOffer === null;

interface FilledHeader {
  readonly shown: string | null;
  readonly component: object | null;
}

function fillHeader(
  header: TemplateHeader | null,
  input: SendingInput,
  named: boolean,
  filling: Filling,
): FilledHeader | null {
  if (header === null) return null;
  if (isMediaFormat(header.format)) return fillMediaHeader(header.format, input, filling);
  if (header.format === 'LOCATION') return fillLocationHeader(input.location, filling);
  const { text, parameters } = filling.text('header_data', header, input.headerData, named);
  checkFilled('the header with its variable', text, MAX_HEADER);
  return { shown: text, component: parameters.length === 0 ? null : { type: 'header', parameters } };
}

function fillMediaHeader(format: keyof typeof MEDIA_KINDS, input: SendingInput, filling: Filling): FilledHeader {
  const kind = MEDIA_KINDS[format];
  // The recipient would see "Untitled" for a document without a name.
  const { mediaUrl, mediaId, filename } = input;
  const url = mediaId === undefined ? (mediaUrl ?? '') : '';
  const name = kind === 'document' ? (filename ?? nameInUrl(url)) : null;
  const medium = filling.needMedia('', input, kind, name === '');
  if (medium === null) return { shown: null, component: null };
  const component = mediaHeader(kind, { ...medium, ...(name ? { filename: name } : {}) });
  return { shown: mediaId ?? mediaUrl, component };
}

function fillLocationHeader(location: LocationInput | null, filling: Filling): FilledHeader {
  if (location === null) {
    filling.missing.push('location');
    return { shown: null, component: null };
  }
  const { latitude, longitude, name, address } = location;
  const place = {
    latitude,
    longitude,
    ...(name === null ? {} : { name }),
    ...(address === null ? {} : { address }),
  };
  const words = [name, address].filter(isPresent).join(', ');
  return {
    shown: words === '' ? `${latitude}, ${longitude}` : words,
    component: { type: 'header', parameters: [{ type: 'location', location: place }] },
  };
}

/** Every limited-time offer needs an expiry in the future. */
function fillOffer(expirationTimeMs: number | null, at: Date, filling: Filling): object | null {
  if (expirationTimeMs === null) {
    filling.missing.push('expiration_time_ms');
    return null;
  }
  if (expirationTimeMs <= at.getTime()) {
    throw badRequest(
      'expiration_time_ms must be later than the send time, in milliseconds since 1970 ' +
        `(got ${expirationTimeMs}, the message is sent at ${at.getTime()})`,
    );
  }
  const offer = { expiration_time_ms: expirationTimeMs };
  return { type: 'limited_time_offer', parameters: [{ type: 'limited_time_offer', limited_time_offer: offer }] };
}

/**
 * Puts the code into the body and into the button that copies it. The text to be stored and shown gets the mask here,
 * so that no caller can forget to.
 */
function fillAuthentication(content: TemplateContent, { bodyData }: SendingInput, filling: Filling): FilledTemplate {
  // The network writes the text. Until we have read it back, all we know is that it has a code.
  const text = content.body.text === '' ? `{{${CODE_VARIABLE}}}` : content.body.text;
  const [parameter] = filling.text('body_data', { text, variables: [CODE_VARIABLE] }, bodyData, false).parameters;
  const code = parameter === undefined ? null : String(parameter.text);
  if (code !== null) checkFilled(`body_data.${CODE_VARIABLE}`, code, MAX_CODE);
  const components =
    parameter === undefined ? [] : [{ type: 'body', parameters: [parameter] }, buttonComponent('url', 0, parameter)];
  const buttons = content.buttons.map(({ type, text: label }) => ({
    type,
    text: label,
    url: null,
    phoneNumber: null,
    couponCode: null,
  }));
  const body = code === null ? text : fill(text, new Map([[CODE_VARIABLE, CODE_MASK]]));
  return { header: null, body, footer: content.footer, buttons, components, code, filling };
}
