import { type JsonObject, objectsOf } from '../json-object.js';

/** A text with its distinct variables, in order of appearance. */
export interface TextShape {
  text: string;
  variables: string[];
}

export interface ButtonShape {
  type: string;
  text: string;
  /** With its variable; empty for buttons that open none. */
  url: string;
  /** Whether the network refuses a message that says nothing about it. */
  needsParameter: boolean;
}

/** The parts of a template, or of one carousel card, that a sender may have to fill in. */
export interface CardShape {
  header: ({ format: string } & TextShape) | null;
  body: TextShape | null;
  buttons: ButtonShape[];
}

export interface TemplateShape extends CardShape {
  named: boolean;
  limitedTimeOffer: { expires: boolean } | null;
  cards: CardShape[] | null;
  /** Lower-case types of components that the simulator does not know: a message needs one of each. */
  others: string[];
}

/** Buttons of which a message may say nothing. */
const OPTIONAL_BUTTONS = ['QUICK_REPLY', 'PHONE_NUMBER', 'FLOW', 'OTP', 'SPM', 'VOICE_CALL', 'REQUEST_CONTACT_INFO'];
const KNOWN_COMPONENTS = [
  'header',
  'body',
  'footer',
  'buttons',
  'limited_time_offer',
  'carousel',
  'call_permission_request',
];

const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** The distinct names between double braces in `text`. */
export const variablesOf = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map((match) => (match[1] ?? '').trim())),
];

const textShape = (text: unknown): TextShape => {
  const given = typeof text === 'string' ? text : '';
  return { text: given, variables: variablesOf(given) };
};

export const componentOf = (components: JsonObject[], type: string): JsonObject | undefined =>
  components.find((component) => String(component.type).toUpperCase() === type);

function buttonShape(button: JsonObject): ButtonShape {
  const type = String(button.type).toUpperCase();
  const needsParameter = type === 'URL' ? variablesOf(String(button.url)).length > 0 : !OPTIONAL_BUTTONS.includes(type);
  return { type, text: String(button.text ?? ''), url: String(button.url ?? ''), needsParameter };
}

function cardShape(components: JsonObject[]): CardShape {
  const header = componentOf(components, 'HEADER');
  const body = componentOf(components, 'BODY');
  return {
    header: header ? { format: String(header.format).toUpperCase(), ...textShape(header.text) } : null,
    body: body ? textShape(body.text) : null,
    buttons: objectsOf(componentOf(components, 'BUTTONS')?.buttons).map(buttonShape),
  };
}

/** Derives from stored components what a message must fill in; computed once per template. */
export function shapeOf(components: JsonObject[], parameterFormat: string): TemplateShape {
  const offer = componentOf(components, 'LIMITED_TIME_OFFER')?.limited_time_offer as JsonObject | undefined;
  const carousel = componentOf(components, 'CAROUSEL');
  return {
    ...cardShape(components),
    named: parameterFormat === 'NAMED',
    limitedTimeOffer: offer ? { expires: offer.has_expiration !== false } : null,
    cards: carousel ? objectsOf(carousel.cards).map((card) => cardShape(objectsOf(card.components))) : null,
    others: components.map(({ type }) => String(type).toLowerCase()).filter((type) => !KNOWN_COMPONENTS.includes(type)),
  };
}
