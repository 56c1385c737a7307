import { isPlainObject } from '../http/field-rules.js';
import {
  HEADER_FORMATS,
  type HeaderFormat,
  isMediaFormat,
  type MediaFormat,
  type NetworkComponent,
} from './template.js';
import { networkVariablesOf } from './template-variables.js';

/** A text and its variables, in the order the network expects their values. */
export interface VariableText {
  readonly text: string;
  readonly variables: readonly string[];
}

export interface TemplateHeader extends VariableText {
  readonly format: HeaderFormat;
}

/** A button of a template, parsed. */
export interface TemplateButton {
  /** Upper case: one of ours, or one that only the network creates, such as `OTP`. */
  readonly type: string;
  readonly text: string;
  readonly url: string | null;
  /** Whether the URL ends in a variable, which a send must fill in. */
  readonly hasUrlVariable: boolean;
  readonly phoneNumber: string | null;
  /** The example of a URL's variable or of a coupon code. */
  readonly example: string | null;
  readonly flowId: string | null;
  readonly flowAction: string | null;
  readonly navigateScreen: string | null;
}

export interface TemplateCard {
  readonly headerFormat: MediaFormat;
  readonly bodyText: string | null;
  readonly buttons: readonly TemplateButton[];
  /** URL of the example file, if the network returns one. */
  readonly exampleUrl: string | null;
}

/** A template's components, parsed. */
export interface TemplateContent {
  readonly header: TemplateHeader | null;
  readonly body: VariableText;
  readonly footer: string | null;
  readonly buttons: readonly TemplateButton[];
  readonly limitedTimeOffer: { readonly text: string; readonly hasExpiration: boolean } | null;
  readonly cards: readonly TemplateCard[] | null;
}

type Part = Readonly<Record<string, unknown>>;

/** Parses components from the network. They are untrusted: a missing or mistyped field counts as absent. */
export function contentOf(components: readonly NetworkComponent[]): TemplateContent {
  const find = finder(components);
  const footer = find('FOOTER');
  const carousel = find('CAROUSEL');
  return {
    header: headerOf(find('HEADER')),
    body: variableText(find('BODY')?.text),
    footer: footer === null ? null : text(footer.text),
    buttons: parts(find('BUTTONS')?.buttons).map(buttonOf),
    limitedTimeOffer: offerOf(find('LIMITED_TIME_OFFER')),
    cards: carousel === null ? null : parts(carousel.cards).map(cardOf),
  };
}

const finder =
  (components: readonly Part[]) =>
  (type: string): Part | null =>
    components.find((component) => upper(component.type) === type) ?? null;

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const upper = (value: unknown): string => (typeof value === 'string' ? value.toUpperCase() : '');
const parts = (value: unknown): Part[] => (Array.isArray(value) ? value.filter(isPlainObject) : []);
/** The network sends an example as an array or as a single value. */
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

function variableText(value: unknown): VariableText {
  const found = text(value) ?? '';
  return { text: found, variables: networkVariablesOf(found) };
}

function headerOf(header: Part | null): TemplateHeader | null {
  const format = HEADER_FORMATS.find((known) => known === upper(header?.format));
  return format === undefined ? null : { format, ...variableText(format === 'TEXT' ? header?.text : '') };
}

function offerOf(component: Part | null): TemplateContent['limitedTimeOffer'] {
  const offer = component?.limited_time_offer;
  if (!isPlainObject(offer)) return null;
  return { text: text(offer.text) ?? '', hasExpiration: offer.has_expiration !== false };
}

function buttonOf(button: Part): TemplateButton {
  const url = text(button.url);
  const flowId = button.flow_id;
  return {
    type: upper(button.type),
    text: text(button.text) ?? '',
    url,
    hasUrlVariable: url !== null && networkVariablesOf(url).length > 0,
    phoneNumber: text(button.phone_number),
    example: text(first(button.example)),
    flowId: typeof flowId === 'number' ? String(flowId) : text(flowId),
    flowAction: text(button.flow_action),
    navigateScreen: text(button.navigate_screen),
  };
}

function cardOf(card: Part): TemplateCard {
  const find = finder(parts(card.components));
  const header = find('HEADER');
  const format = upper(header?.format);
  const example = isPlainObject(header?.example) ? text(first(header.example.header_handle)) : null;
  return {
    headerFormat: isMediaFormat(format) ? format : 'IMAGE',
    bodyText: text(find('BODY')?.text),
    buttons: parts(find('BUTTONS')?.buttons).map(buttonOf),
    // In responses the network replaces handles with the URL of the file; a plain handle is not a URL.
    exampleUrl: example !== null && /^https?:\/\//.test(example) ? example : null,
  };
}
