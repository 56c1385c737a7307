import { isPlainObject } from '../http/field-rules.js';
import type { Template } from './template.entity.js';
import { BUTTON_TYPES, HEADER_FORMATS, type NetworkComponent } from './template.js';
import { networkVariablesOf, styleOf } from './template-variables.js';

/** What a send can fill in. Everything else is unsupported, also kinds that the network adds later. */
interface Supported {
  /** In front of the names of parts. */
  readonly prefix: '' | 'CARD_';
  readonly components: readonly string[];
  readonly headers: readonly string[];
  readonly buttons: readonly string[];
  /** Whether a variable of the body can be filled in. */
  readonly takes: (variable: string) => boolean;
}

const MESSAGE: Supported = {
  prefix: '',
  components: ['HEADER', 'BODY', 'FOOTER', 'BUTTONS', 'LIMITED_TIME_OFFER', 'CAROUSEL'],
  headers: HEADER_FORMATS,
  buttons: BUTTON_TYPES,
  takes: (variable) => styleOf(variable) !== 'malformed',
};

const CARD: Supported = {
  prefix: 'CARD_',
  components: ['HEADER', 'BODY', 'BUTTONS'],
  headers: ['IMAGE', 'VIDEO'],
  buttons: ['QUICK_REPLY', 'URL', 'PHONE_NUMBER'],
  takes: () => false,
};

/** An AUTHENTICATION template: the code goes into its body and its one button. */
const CODE: Supported = {
  prefix: '',
  components: ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'],
  headers: [],
  buttons: ['OTP', 'URL'],
  takes: (variable) => variable === '1',
};

/** How the button of a one-time code hands it over; all of them are sent alike. */
const OTP_TYPES = ['COPY_CODE', 'ONE_TAP', 'ZERO_TAP'];

/** Stands for a kind that is missing or has the wrong type. */
const UNKNOWN = 'UNKNOWN';

/**
 * The parts of a template that a send cannot fill in: a kind (`BUTTON:MPM`, `HEADER:GIF`, `CARD_BUTTON:SPM`,
 * `COMPONENT:CALL_PERMISSION_REQUEST`) or a variable (`CARD_BODY:{{1}}`). Empty for a template that can be sent.
 * Derived from the components wherever it is needed, so that an update of Parley never leaves a stale answer behind.
 */
export function unsupportedParts({ category, components }: Pick<Template, 'category' | 'components'>): string[] {
  const readable = objectsOf(components);
  const parts = category === 'AUTHENTICATION' ? ofCode(readable) : ofComponents(readable, MESSAGE);
  return [...new Set(parts)];
}

const objectsOf = (value: unknown): NetworkComponent[] => (Array.isArray(value) ? value.filter(isPlainObject) : []);

const kindOf = (value: unknown): string => (typeof value === 'string' && value !== '' ? value.toUpperCase() : UNKNOWN);

function* ofComponents(components: readonly NetworkComponent[], supported: Supported): Generator<string> {
  const { prefix } = supported;
  const seen = new Set<string>();
  for (const component of components) {
    const type = kindOf(component.type);
    // Of two components of a type, only the first would be filled in.
    if (supported.components.includes(type) && !seen.has(type)) yield* ofComponent(type, component, supported);
    else yield `${prefix}COMPONENT:${type}`;
    seen.add(type);
  }
}

function* ofComponent(type: string, component: NetworkComponent, supported: Supported): Generator<string> {
  const { prefix, headers, takes } = supported;
  switch (type) {
    case 'HEADER': {
      const format = kindOf(component.format);
      if (!headers.includes(format)) yield `${prefix}HEADER:${format}`;
      else if (format === 'TEXT') yield* ofText('HEADER', component.text, MESSAGE.takes);
      break;
    }
    case 'BODY':
      yield* ofText(`${prefix}BODY`, component.text, takes);
      break;
    case 'FOOTER':
      yield* ofText(`${prefix}FOOTER`, component.text, () => false);
      break;
    case 'BUTTONS':
      if (Array.isArray(component.buttons))
        yield* component.buttons.flatMap((button) => [...ofButton(button, supported)]);
      else yield `${prefix}COMPONENT:${type}`;
      break;
    case 'LIMITED_TIME_OFFER':
      if (!isPlainObject(component.limited_time_offer)) yield `COMPONENT:${type}`;
      break;
    case 'CAROUSEL':
      if (Array.isArray(component.cards)) yield* component.cards.flatMap((card) => [...ofCard(card)]);
      else yield `COMPONENT:${type}`;
      break;
  }
}

function* ofText(part: string, text: unknown, takes: (variable: string) => boolean): Generator<string> {
  if (typeof text !== 'string') yield `${part}:${UNKNOWN}`;
  else
    yield* networkVariablesOf(text)
      .filter((variable) => !takes(variable))
      .map((variable) => `${part}:{{${variable}}}`);
}

function* ofButton(button: unknown, { prefix, buttons }: Supported): Generator<string> {
  const { type: given, url, otp_type: otp = OTP_TYPES[0] } = isPlainObject(button) ? button : {};
  const type = kindOf(given);
  if (!buttons.includes(type)) yield `${prefix}BUTTON:${type}`;
  else if (type === 'OTP' && !OTP_TYPES.includes(kindOf(otp))) yield `OTP:${kindOf(otp)}`;
  else if (type === 'URL' && typeof url === 'string') {
    yield* networkVariablesOf(url)
      .slice(1)
      .map((variable) => `${prefix}URL:{{${variable}}}`);
  } else if (type === 'URL') yield `${prefix}URL:${UNKNOWN}`;
}

function* ofCard(card: unknown): Generator<string> {
  const components = objectsOf(isPlainObject(card) ? card.components : null);
  yield* ofComponents(components, CARD);
  if (!components.some(({ type }) => kindOf(type) === 'HEADER')) yield 'CARD_HEADER:NONE';
}

/** Besides its parts, the one button must take the code. The network's text is unknown until it has been read back. */
function* ofCode(components: readonly NetworkComponent[]): Generator<string> {
  const readBack = components.map((part) => ({ text: '', ...part }));
  yield* ofComponents(readBack, CODE);
  const [first, ...others] = objectsOf(components.find(({ type }) => kindOf(type) === 'BUTTONS')?.buttons);
  if (first === undefined) yield 'BUTTON:NONE';
  else if (typeof first.url === 'string' && networkVariablesOf(first.url).length === 0) yield 'BUTTON:URL';
  yield* others.map(({ type }) => `BUTTON:${kindOf(type)}`);
}
