import { GraphError } from '../graph-error.js';
import { exceeds, isObject, isText, type JsonObject, objectsOf } from '../json-object.js';
import { checkMedia, isOpenable, type KnowsMedia } from '../media/media-rules.js';
import { CODE_LINK } from './authentication-template.js';
import type { ButtonShape, CardShape, TemplateShape, TextShape } from './template-shape.js';

const BODY_LIMIT = 1024;
/** The limit for a template with only a body. */
const BODY_ONLY_LIMIT = 32_768;
const HEADER_LIMIT = 60;
const CODE_LIMIT = 15;
const COUPON_LIMIT = 20;
const URL_LIMIT = 2000;
const VARIABLE = /\{\{\s*1\s*\}\}$/;
const MEDIA_FORMATS = ['IMAGE', 'VIDEO', 'GIF', 'DOCUMENT'];

/** Buttons that take nothing from a message. */
const FIXED_BUTTONS = ['PHONE_NUMBER', 'OTP', 'SPM', 'REQUEST_CONTACT_INFO'];

/** The network ignores case in component names. */
const lower = (value: unknown): string => String(value).toLowerCase();

const mismatch = (details: string): GraphError => new GraphError(132012, details);

function checkCount(part: string, given: number, expected: number): void {
  if (given === expected) return;
  const counts = `number of localizable_params (${given}) does not match the expected number of params (${expected})`;
  throw new GraphError(132000, `${part}: ${counts}`);
}

function textOf(parameter: JsonObject, part: string): string {
  if (parameter.type !== 'text')
    throw mismatch(`${part}: expected a text parameter, received ${String(parameter.type)}`);
  if (!isText(parameter.text)) throw new GraphError(131008, `${part}: Parameter of type text is missing text value`);
  if (/[\n\t]| {5}/.test(parameter.text)) {
    throw new GraphError(
      132018,
      `${part}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`,
    );
  }
  return parameter.text;
}

/** Checks text parameters against the variables of `shape`; `limit` applies to the text with these filled in. */
function checkTexts(parameters: JsonObject[], shape: TextShape, part: string, named: boolean, limit: number): string[] {
  checkCount(part, parameters.length, shape.variables.length);
  const values = parameters.map((parameter) => textOf(parameter, part));
  if (named) {
    const names = parameters.map(({ parameter_name }) => parameter_name);
    if (!names.every(isText)) throw new GraphError(100, `${part}: Parameter name is missing or empty`);
    const absent = shape.variables.find((variable) => !names.includes(variable));
    if (absent !== undefined) throw mismatch(`${part}: no parameter is named ${absent}`);
  }
  if (shape.text.length + values.join('').length > limit) {
    const filled = values.reduce((text, value, i) => {
      const name = named ? String(parameters[i]?.parameter_name) : String(shape.variables[i]);
      return text.replaceAll(new RegExp(`\\{\\{\\s*${name}\\s*\\}\\}`, 'g'), () => value);
    }, shape.text);
    if (exceeds(filled, limit)) throw new GraphError(132005, `${part}: text is longer than ${limit} characters`);
  }
  return values;
}

function checkHeader(component: JsonObject | undefined, card: CardShape, named: boolean, knowsMedia: KnowsMedia): void {
  const parameters = objectsOf(component?.parameters);
  const { header } = card;
  if (!header || header.format === 'TEXT') {
    checkTexts(parameters, header ?? { text: '', variables: [] }, 'header', named, HEADER_LIMIT);
    return;
  }
  const received = parameters.length === 0 ? 'UNKNOWN' : String(parameters[0]?.type).toUpperCase();
  if (received !== header.format)
    throw mismatch(`header: Format mismatch, expected ${header.format}, received ${received}`);
  checkCount('header', parameters.length, 1);
  const type = header.format.toLowerCase();
  const content = parameters[0]?.[type];
  if (MEDIA_FORMATS.includes(header.format)) {
    if (!isObject(content)) throw mismatch(`header: ${type} is missing`);
    checkMedia(content, type, knowsMedia);
  } else if (header.format === 'PRODUCT') {
    if (!isObject(content) || !isText(content.product_retailer_id) || !isText(content.catalog_id)) {
      throw mismatch('header: product needs product_retailer_id and catalog_id');
    }
  } else if (header.format !== 'LOCATION') {
    if (!isObject(content)) throw mismatch(`header: ${type} is missing`);
  } else if (!isObject(content) || !isCoordinate(content.latitude, 90) || !isCoordinate(content.longitude, 180)) {
    throw mismatch('header: location needs latitude and longitude');
  }
}

const isCoordinate = (value: unknown, limit: number): boolean =>
  (typeof value === 'number' || isText(value)) && Math.abs(Number(value)) <= limit;

/** Buttons that open something of the shop, and what their `action` must have; null: nothing. */
const ACTIONS: Record<string, string | null> = { CATALOG: null, MPM: 'sections', ORDER_DETAILS: 'order_details' };

function checkAction({ type, action }: JsonObject, name: string, needed: string | null = null): void {
  if (type !== 'action' || !isObject(action)) throw new GraphError(131008, `${name} requires an action`);
  if (needed === null) return;
  const given = action[needed];
  if (Array.isArray(given) ? given.length === 0 : !isObject(given)) {
    throw new GraphError(132018, `${name}: the action has no ${needed}`);
  }
}

function checkSuffix({ url }: ButtonShape, suffix: string, name: string): void {
  if (exceeds(suffix, URL_LIMIT)) throw mismatch(`${name}: url suffix is too long`);
  // The button of a one-time code opens nothing.
  if (url.startsWith(CODE_LINK) || isOpenable(url.replace(VARIABLE, '') + suffix)) return;
  throw new GraphError(131009, `${name}: url suffix must be percent-encoded`);
}

function checkButton(button: ButtonShape, index: number, component: JsonObject | undefined): void {
  const name = `Button at index ${index} of type ${button.type}`;
  const parameters = objectsOf(component?.parameters);
  if (!component || parameters.length === 0) {
    if (button.needsParameter) throw new GraphError(131008, `${name} requires a parameter`);
    return;
  }
  // Named like the type: `mpm` for MPM.
  if (FIXED_BUTTONS.includes(button.type) || lower(component.sub_type) !== lower(button.type)) {
    throw mismatch(`${name} does not match the sub_type ${String(component.sub_type)}`);
  }
  checkCount(name, parameters.length, button.type === 'URL' && !button.needsParameter ? 0 : 1);
  const [parameter = {}] = parameters;
  if (button.type === 'URL') {
    checkSuffix(button, textOf(parameter, name), name);
  } else if (button.type === 'COPY_CODE') {
    const { type, coupon_code } = parameter;
    if (type !== 'coupon_code' || !isText(coupon_code)) throw new GraphError(131008, `${name} requires a coupon_code`);
    if (exceeds(coupon_code, COUPON_LIMIT)) throw new GraphError(131009, `${name}: coupon_code is too long`);
  } else if (ACTIONS[button.type] !== undefined) {
    checkAction(parameter, name, ACTIONS[button.type]);
  } else if (button.type === 'QUICK_REPLY' && (parameter.type !== 'payload' || !isText(parameter.payload))) {
    throw new GraphError(131008, `${name} requires a payload`);
  }
}

function checkButtons(components: JsonObject[], buttons: ButtonShape[]): void {
  const byIndex = new Map<number, JsonObject>();
  for (const component of components) {
    const index = /^\d{1,2}$/.test(String(component.index)) ? Number(component.index) : -1;
    if (!buttons[index]) throw mismatch(`the template has no button at index ${String(component.index)}`);
    if (byIndex.has(index)) throw mismatch(`two components for the button at index ${index}`);
    byIndex.set(index, component);
  }
  for (const [index, button] of buttons.entries()) checkButton(button, index, byIndex.get(index));
}

/** The component of this type, if any; more than one is rejected. */
function only(components: JsonObject[], type: string): JsonObject | undefined {
  const found = components.filter((component) => lower(component.type) === type);
  if (found.length > 1) throw new GraphError(131009, `more than one ${type} component`);
  return found[0];
}

function checkCard(
  components: JsonObject[],
  card: CardShape,
  named: boolean,
  limit: number,
  knowsMedia: KnowsMedia,
): string[] {
  checkHeader(only(components, 'header'), card, named, knowsMedia);
  const body = card.body ?? { text: '', variables: [] };
  const values = checkTexts(objectsOf(only(components, 'body')?.parameters), body, 'body', named, limit);
  checkButtons(
    components.filter(({ type }) => lower(type) === 'button'),
    card.buttons,
  );
  return values;
}

function checkOffer(component: JsonObject | undefined, offer: TemplateShape['limitedTimeOffer']): void {
  const [parameter] = objectsOf(component?.parameters);
  if (!offer) {
    if (component) throw mismatch('the template has no limited_time_offer');
    return;
  }
  if (!parameter) {
    if (offer.expires) throw new GraphError(131008, 'limited_time_offer requires expiration_time_ms');
    return;
  }
  const details = parameter.limited_time_offer;
  const expires = isObject(details) ? details.expiration_time_ms : undefined;
  if (typeof expires !== 'number') throw new GraphError(131008, 'limited_time_offer requires expiration_time_ms');
  if (expires <= Date.now()) throw new GraphError(131009, 'expiration_time_ms must be in the future, in milliseconds');
}

function checkCarousel(component: JsonObject | undefined, shape: TemplateShape, knowsMedia: KnowsMedia): void {
  if (!shape.cards) {
    if (component) throw mismatch('the template has no carousel');
    return;
  }
  const cards = objectsOf(component?.cards);
  if (cards.length !== shape.cards.length) {
    throw mismatch(`carousel: expected ${shape.cards.length} cards, received ${cards.length}`);
  }
  for (const [index, card] of shape.cards.entries()) {
    const given = cards.find(({ card_index }) => card_index === index);
    if (!given) throw mismatch(`carousel: no card has the card_index ${index}`);
    checkCard(objectsOf(given.components), card, shape.named, BODY_LIMIT, knowsMedia);
  }
}

const COMPONENTS = ['header', 'body', 'button', 'limited_time_offer', 'carousel', 'call_permission_request'];

/** Rejects components of a template message that do not match `shape` exactly (132000, 132012, 131008 …). */
export function checkTemplateParameters(
  given: unknown,
  shape: TemplateShape,
  category: string,
  knowsMedia: KnowsMedia,
): void {
  if (given !== undefined && !(Array.isArray(given) && given.every(isObject))) {
    throw new GraphError(100, "Param template['components'] must be an array of objects.");
  }
  const components = objectsOf(given);
  const unknown = components.find(({ type }) => ![...COMPONENTS, ...shape.others].includes(lower(type)));
  if (unknown) throw new GraphError(100, `Param template['components'] has the unknown type ${String(unknown.type)}.`);
  const absent = shape.others.find((type) => !only(components, type));
  if (absent !== undefined) throw new GraphError(131008, `the template requires a component of type ${absent}`);
  const bodyOnly = !shape.header && shape.buttons.length === 0 && !shape.cards && !shape.limitedTimeOffer;
  const values = checkCard(components, shape, shape.named, bodyOnly ? BODY_ONLY_LIMIT : BODY_LIMIT, knowsMedia);
  checkOffer(only(components, 'limited_time_offer'), shape.limitedTimeOffer);
  checkCarousel(only(components, 'carousel'), shape, knowsMedia);
  if (category === 'AUTHENTICATION' && values.some((code) => exceeds(code, CODE_LIMIT))) {
    throw new GraphError(131009, `the code must be at most ${CODE_LIMIT} characters`);
  }
}
