import { GraphError } from '../graph-error.js';
import { isObject, isText, type JsonObject, objectsOf } from '../json-object.js';
import { authenticationComponents } from './authentication-template.js';
import { checkButtons } from './template-buttons.js';
import { componentOf } from './template-shape.js';
import { checkBody, checkExamples, checkText, checkVariables, refuse } from './template-texts.js';

const NAME = /^[a-z0-9_]{1,512}$/;
const LANGUAGE = /^[a-z]{2,3}(_[A-Z]{2})?$/;
const BODY_LIMIT = 1024;
const OFFER_BODY_LIMIT = 600;
const OFFER_TEXT_LIMIT = 16;
const HEADER_LIMIT = 60;
const FOOTER_LIMIT = 60;
const CARD_BODY_LIMIT = 160;
const MAX_CARDS = 10;
const CARD_BUTTONS = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'SPM'];
const CARD_HEADERS = ['IMAGE', 'VIDEO', 'PRODUCT'];
const OFFER_HEADERS = ['IMAGE', 'VIDEO'];
const HEADERS = ['TEXT', 'IMAGE', 'VIDEO', 'GIF', 'DOCUMENT', 'LOCATION', 'PRODUCT'];
const COMPONENTS = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'LIMITED_TIME_OFFER', 'CAROUSEL', 'CALL_PERMISSION_REQUEST'];

/** Allowed range of `message_send_ttl_seconds` by category; -1 means the default of 30 days. */
const TTL: Record<string, readonly [number, number]> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
};

/** Returns the MIME type of an upload handle, or undefined for an unknown handle. */
export type HandleType = (handle: string) => string | undefined;

/** A valid request to create a template. */
export interface TemplateRequest {
  name: string;
  language: string;
  category: string;
  parameter_format: 'POSITIONAL' | 'NAMED';
  message_send_ttl_seconds?: number;
  components: JsonObject[];
}

const FORMAT_OF_TYPE: Record<string, string> = {
  image: 'IMAGE',
  video: 'VIDEO',
  application: 'DOCUMENT',
  text: 'DOCUMENT',
};

function checkHeader(header: JsonObject, named: boolean, handleType: HandleType, formats = HEADERS): string {
  const format = String(header.format).toUpperCase();
  if (!formats.includes(format)) throw refuse(`HEADER format must be one of ${formats.join(', ')}`, 2388047);
  const example = isObject(header.example) ? header.example : {};
  if (format === 'TEXT') {
    const variables = checkVariables(checkText(header.text, 'HEADER', HEADER_LIMIT), 'HEADER', named);
    if (variables.length > 1) throw refuse('HEADER may hold one variable', 2388047);
    checkExamples(variables, 'HEADER', named, example.header_text, example.header_text_named_params);
  } else if (format !== 'LOCATION' && format !== 'PRODUCT') {
    const [handle] = Array.isArray(example.header_handle) ? example.header_handle : [];
    const type = isText(handle) ? handleType(handle) : undefined;
    if (type === undefined) throw refuse('HEADER example.header_handle must be the handle of an upload', 2388273);
    // A GIF is uploaded as a short video.
    if (FORMAT_OF_TYPE[type.split('/')[0] ?? ''] !== (format === 'GIF' ? 'VIDEO' : format))
      throw refuse(`HEADER handle is ${type}, not ${format}`, 2388273);
  }
  return format;
}

function checkOffer(components: JsonObject[], category: string): void {
  const offer = componentOf(components, 'LIMITED_TIME_OFFER')?.limited_time_offer;
  if (category !== 'MARKETING') throw refuse('limited-time offers must be MARKETING');
  if (!isObject(offer)) throw refuse('LIMITED_TIME_OFFER needs limited_time_offer {text, has_expiration}');
  checkText(offer.text, 'LIMITED_TIME_OFFER', OFFER_TEXT_LIMIT);
  if (offer.has_expiration !== undefined && typeof offer.has_expiration !== 'boolean') {
    throw refuse('has_expiration must be true or false');
  }
  if (componentOf(components, 'FOOTER')) throw refuse('limited-time offers take no footer');
  const header = componentOf(components, 'HEADER');
  if (header && !OFFER_HEADERS.includes(String(header.format).toUpperCase())) {
    throw refuse(`the HEADER of a limited-time offer must be one of ${OFFER_HEADERS.join(', ')}`, 2388047);
  }
  const buttons = objectsOf(componentOf(components, 'BUTTONS')?.buttons);
  if (String(buttons[0]?.type).toUpperCase() !== 'COPY_CODE') throw refuse('the first button must be COPY_CODE');
}

/** A product is shown by its header and opened by its button. */
function checkProduct(format: string | undefined, buttons: string[]): void {
  if ((format === 'PRODUCT') !== buttons.includes('SPM')) throw refuse('a PRODUCT header goes with an SPM button');
}

function checkCarousel(components: JsonObject[], category: string, named: boolean, handleType: HandleType): void {
  if (category !== 'MARKETING') throw refuse('carousels must be MARKETING');
  if (components.length !== 2) throw refuse('a carousel takes BODY and CAROUSEL only');
  const { cards } = componentOf(components, 'CAROUSEL') ?? {};
  if (!Array.isArray(cards) || cards.length < 2 || cards.length > MAX_CARDS) {
    throw refuse(`a carousel has 2 to ${MAX_CARDS} cards`);
  }
  const shapes = cards.map((card) => {
    const parts = objectsOf(isObject(card) ? card.components : undefined);
    const header = componentOf(parts, 'HEADER');
    const body = componentOf(parts, 'BODY');
    const buttons = componentOf(parts, 'BUTTONS');
    if (!header || !buttons || parts.length !== (body ? 3 : 2)) throw refuse('a card has HEADER, BODY? and BUTTONS');
    if (body) checkBody(body, named, CARD_BODY_LIMIT);
    const format = checkHeader(header, named, handleType, CARD_HEADERS);
    const types = checkButtons(buttons, 2, CARD_BUTTONS);
    checkProduct(format, types);
    return [format, body !== undefined, ...types].join();
  });
  if (new Set(shapes).size > 1) throw refuse('all cards must have the same header format, body and button types');
}

function checkComponents(request: TemplateRequest, handleType: HandleType): void {
  const { components, category } = request;
  const named = request.parameter_format === 'NAMED';
  const types = components.map(({ type }) => String(type).toUpperCase());
  const unknown = types.find((type) => !COMPONENTS.includes(type));
  if (unknown !== undefined) throw refuse(`unknown component ${unknown}`);
  if (new Set(types).size !== types.length) throw refuse('each component may occur once');
  const body = componentOf(components, 'BODY');
  if (!body) throw refuse('BODY is required');
  if (components.some((part) => 'add_security_recommendation' in part || 'code_expiration_minutes' in part)) {
    throw refuse('add_security_recommendation and code_expiration_minutes are for AUTHENTICATION templates');
  }
  const offer = types.includes('LIMITED_TIME_OFFER');
  checkBody(body, named, offer ? OFFER_BODY_LIMIT : BODY_LIMIT);
  const [header, footer, buttons] = ['HEADER', 'FOOTER', 'BUTTONS'].map((type) => componentOf(components, type));
  const format = header && checkHeader(header, named, handleType);
  if (footer && /\{\{/.test(checkText(footer.text, 'FOOTER', FOOTER_LIMIT))) throw refuse('FOOTER takes no variables');
  checkProduct(format, buttons ? checkButtons(buttons) : []);
  if (offer) checkOffer(components, category);
  if (types.includes('CAROUSEL')) checkCarousel(components, category, named, handleType);
}

function checkTtl(ttl: unknown, category: string): void {
  const [min, max] = TTL[category] ?? [0, 0];
  if (ttl === undefined || ttl === -1) return;
  if (!Number.isInteger(ttl) || (ttl as number) < min || (ttl as number) > max) {
    throw refuse(`message_send_ttl_seconds must be ${min} to ${max} for ${category}, or -1`);
  }
}

/** Rejects invalid bodies of `POST /{waba}/message_templates` as the network does; returns the template to store. */
export function checkTemplate(input: JsonObject, handleType: HandleType): TemplateRequest {
  const { name, language, category, components, message_send_ttl_seconds: ttl } = input;
  for (const field of ['name', 'language', 'category', 'components']) {
    if (input[field] === undefined) throw GraphError.missing(field);
  }
  if (typeof name !== 'string' || !NAME.test(name))
    throw refuse('name takes 1 to 512 lower-case letters, digits, underscores');
  if (typeof language !== 'string' || !LANGUAGE.test(language)) throw refuse('language must be a code such as en_US');
  if (typeof category !== 'string' || !(category in TTL)) {
    throw refuse(`category must be one of ${Object.keys(TTL).join(', ')}`);
  }
  const format = String(input.parameter_format ?? 'POSITIONAL').toUpperCase();
  if (format !== 'POSITIONAL' && format !== 'NAMED') throw refuse('parameter_format must be POSITIONAL or NAMED');
  if (!Array.isArray(components) || !components.every(isObject)) throw refuse('components must be an array of objects');
  checkTtl(ttl, category);
  const request: TemplateRequest = {
    name,
    language,
    category,
    parameter_format: format,
    ...(typeof ttl === 'number' ? { message_send_ttl_seconds: ttl } : {}),
    components,
  };
  if (category === 'AUTHENTICATION') return { ...request, components: authenticationComponents(components) };
  checkComponents(request, handleType);
  return request;
}
