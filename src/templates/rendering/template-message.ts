import { badRequest, type DomainError } from '../../errors/domain-error.js';
import { isPlainObject, withSuggestion } from '../../http/field-rules.js';
import { newRecordId } from '../../values/record-id.js';
import type { Template } from '../template.entity.js';
import { isMediaFormat } from '../template.js';
import { contentOf, type TemplateContent, type TemplateHeader } from '../template-content.js';
import { styleOf } from '../template-variables.js';
import { buttonComponent, type FilledButton, fillButtons } from './button-filling.js';
import { fillCarousel } from './carousel-filling.js';
import type { LocationInput, SendingInput } from './sending-input.js';
import { checkFilled, Filling, MEDIA_KINDS, mediaHeader, type NeededMedia } from './template-filling.js';

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
}

/** A template filled in for sending. */
export interface RenderedTemplate {
  /** `template.components` of the send request. */
  readonly components: readonly object[];
  /** The body as the recipient reads it. */
  readonly content: string;
  /** The customer's files that go with it; probe them before sending. */
  readonly media: readonly NeededMedia[];
}

/** A template filled in as far as the given values allow. */
export interface PartiallyRendered extends RenderedTemplate {
  /** Fields that a send would still need. */
  readonly missing: readonly string[];
}

/** How a message will look, and which fields are missing. */
export interface TemplatePreview {
  /** Text of a TEXT header, URL of a medium, or a location; null without a header. */
  readonly header: string | null;
  readonly body: string;
  readonly footer: string | null;
  readonly buttons: readonly FilledButton[];
  /** Fields that a send would still need. */
  readonly missing: readonly string[];
}

/**
 * Fills in a template for sending.
 *
 * @param at when it is sent: a limited-time offer must expire after that
 * @param newFlowToken generates the token of a FLOW button
 * @throws DomainError 400 naming all missing fields, or the first invalid value
 */
export function renderTemplateMessage(
  template: RenderableTemplate,
  input: SendingInput,
  at: Date,
  newFlowToken: () => string = newRecordId,
): RenderedTemplate {
  const parsed = parseTemplate(template);
  const { missing, ...rendered } = renderPartially(parsed, input, at, newFlowToken);
  if (missing.length === 0) return rendered;
  throw valuesMissing(template, missing, misspelledVariable(missing, parsed.content.body.variables, input.bodyData));
}

/** Like {@link renderTemplateMessage}, but returns the missing fields instead of throwing. */
export function renderPartially(
  template: ParsedTemplate,
  input: SendingInput,
  at: Date,
  newFlowToken: () => string = newRecordId,
): PartiallyRendered {
  const { components, body, filling } = fillTemplate(template, input, at, newFlowToken);
  return { components, content: body, media: filling.media, missing: filling.missing };
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
 * Shows what {@link renderTemplateMessage} would send and which fields are missing. Invalid values are a 400, as in a
 * send. If the header's file is missing, the example file is shown.
 */
export function previewTemplateMessage(
  template: RenderableTemplate & Pick<Template, 'mediaUrl'>,
  input: SendingInput,
  at: Date,
): TemplatePreview {
  const { header, body, footer, buttons, filling } = fillTemplate(parseTemplate(template), input, at, () => 'preview');
  return { header: header ?? template.mediaUrl, body, footer, buttons, missing: filling.missing };
}

interface FilledTemplate extends Omit<TemplatePreview, 'missing'> {
  readonly components: readonly object[];
  readonly filling: Filling;
}

function fillTemplate(
  { template, content }: ParsedTemplate,
  input: SendingInput,
  at: Date,
  newFlowToken: () => string,
): FilledTemplate {
  const filling = new Filling();
  if (template.category === 'AUTHENTICATION') return fillAuthentication(content, input, filling);
  const named = template.parameterFormat === 'NAMED';
  const header = fillHeader(content.header, input, named, filling);
  const body = filling.text('body_data', content.body, input.bodyData, named);
  checkFilled('the body with its variables', body.text, isBodyAlone(content) ? MAX_BODY_ALONE : MAX_BODY);
  const offer = content.limitedTimeOffer === null ? null : fillOffer(input.expirationTimeMs, at, filling);
  const carousel = content.cards === null ? null : fillCarousel(content.cards, input.carouselData, filling);
  const { buttons, components } = fillButtons(
    content.buttons,
    input.buttonParams,
    template.offerCode,
    newFlowToken,
    filling,
  );
  const bodyComponent = body.parameters.length === 0 ? null : { type: 'body', parameters: body.parameters };
  return {
    header: header?.shown ?? null,
    body: body.text,
    footer: content.footer,
    buttons,
    components: [header?.component, bodyComponent, offer, carousel, ...components].filter(isPresent),
    filling,
  };
}

/** @throws DomainError 400 when the stored components are not an array of objects */
export function parseTemplate(template: RenderableTemplate): ParsedTemplate {
  const { name, components } = template;
  if (!Array.isArray(components) || !components.every(isPlainObject)) {
    throw badRequest(`template ${name} is stored in a broken form. Run POST /api/v1/templates/sync to reload it`);
  }
  return { template, content: contentOf(components) };
}

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

function fillMediaHeader(
  format: keyof typeof MEDIA_KINDS,
  { mediaUrl, filename }: SendingInput,
  filling: Filling,
): FilledHeader {
  const kind = MEDIA_KINDS[format];
  const url = filling.needMedia('media_url', mediaUrl, kind);
  if (url === null) return { shown: null, component: null };
  const medium = { link: url, ...(kind === 'document' && filename !== null ? { filename } : {}) };
  return { shown: url, component: mediaHeader(kind, medium) };
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

/** Puts the code into the body and into the button that copies it. */
function fillAuthentication(content: TemplateContent, { bodyData }: SendingInput, filling: Filling): FilledTemplate {
  // The network writes the text. Until we have read it back, we can only show the code.
  const text = content.body.text === '' ? '{{1}}' : content.body.text;
  const body = filling.text('body_data', { text, variables: ['1'] }, bodyData, false);
  const [parameter] = body.parameters;
  if (parameter !== undefined) checkFilled('body_data.1', String(parameter.text), MAX_CODE);
  const components =
    parameter === undefined ? [] : [{ type: 'body', parameters: [parameter] }, buttonComponent('url', 0, parameter)];
  const buttons = content.buttons.map(({ type, text: label }) => ({
    type,
    text: label,
    url: null,
    phoneNumber: null,
    couponCode: null,
  }));
  return { header: null, body: body.text, footer: content.footer, buttons, components, filling };
}
