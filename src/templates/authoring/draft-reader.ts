import { badRequest, templateRuleBroken } from '../../errors/domain-error.js';
import { isPlainObject, shown, wrongChoice, wrongId, wrongType } from '../../http/field-rules.js';
import { isRecordId } from '../../values/record-id.js';
import {
  BUTTON_TYPES,
  type ButtonType,
  CATEGORIES,
  HEADER_FORMATS,
  type HeaderFormat,
  type TemplateCategory,
} from '../template.js';
import type {
  BodyDraft,
  ButtonDraft,
  CardDraft,
  CarouselDraft,
  Examples,
  HeaderDraft,
  OfferDraft,
  TemplateDraft,
} from './template-draft.js';

/**
 * Reads the fields of one JSON object. A wrong JSON type is a 422 that names the field by its full path; null counts as
 * absent.
 */
class Fields {
  constructor(
    private readonly object: Readonly<Record<string, unknown>>,
    private readonly parent: string,
  ) {}

  path(name: string): string {
    return this.parent === '' ? name : `${this.parent}.${name}`;
  }

  value(name: string): unknown {
    return Object.hasOwn(this.object, name) ? (this.object[name] ?? null) : null;
  }

  text(name: string): string | null {
    return this.read(name, (value) => typeof value === 'string', 'a string');
  }

  number(name: string): number | null {
    return this.read(name, (value) => typeof value === 'number', 'a number');
  }

  flag(name: string): boolean | null {
    return this.read(name, (value) => typeof value === 'boolean', 'true or false');
  }

  child(name: string): Fields | null {
    const value = this.read<Record<string, unknown>>(name, isPlainObject, 'an object');
    return value === null ? null : new Fields(value, this.path(name));
  }

  /** An array of objects. */
  list(name: string): Fields[] | null {
    const value = this.read<unknown[]>(name, Array.isArray, 'an array');
    return (
      value?.map((item, index) => {
        const path = `${this.path(name)}[${index}]`;
        if (!isPlainObject(item)) throw templateRuleBroken(wrongType(path, 'an object', item));
        return new Fields(item, path);
      }) ?? null
    );
  }

  /** An object of strings. */
  texts(name: string): Examples {
    const value = this.read<Record<string, unknown>>(name, isPlainObject, 'an object of strings') ?? {};
    for (const [key, item] of Object.entries(value)) {
      if (typeof item !== 'string') {
        throw templateRuleBroken(wrongType(`${this.path(name)}.${shown(key)}`, 'a string', item));
      }
    }
    return value as Examples;
  }

  /** One of a fixed set of strings; required. */
  choice<Choice extends string>(name: string, choices: readonly Choice[]): Choice {
    const value = this.text(name);
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw templateRuleBroken(wrongChoice(this.path(name), value, choices));
  }

  private read<Value>(name: string, fits: (value: unknown) => boolean, expected: string): Value | null {
    const value = this.value(name);
    if (value === null || fits(value)) return value as Value | null;
    throw templateRuleBroken(wrongType(this.path(name), expected, value));
  }
}

/**
 * Reads the body of `templates/create`.
 *
 * @throws DomainError 400 for a missing or mistyped `name` or `category` and for a malformed `waba_phone_id`, 422
 * `{detail}` for any other wrong type
 */
export function readTemplateDraft(body: unknown): TemplateDraft {
  const fields = bodyFields(body);
  const name = requiredText(fields, 'name');
  requiredText(fields, 'category');
  return {
    kind: 'standard',
    name,
    category: fields.choice<TemplateCategory>('category', CATEGORIES),
    ...commonOf(fields),
    header: headerOf(fields.child('header')),
    mediaUrl: presentText(fields, 'media_url'),
    footer: footerOf(fields.child('footer')),
    buttons: fields.list('buttons')?.map(buttonOf) ?? null,
    limitedTimeOffer: offerOf(fields.child('limited_time_offer')),
    offerCode: presentText(fields, 'offer_code'),
    addSecurityRecommendation: fields.flag('add_security_recommendation'),
    codeExpirationMinutes: fields.number('code_expiration_minutes'),
  };
}

/** Reads the body of `templates/create-carousel`; throws like {@link readTemplateDraft}. */
export function readCarouselDraft(body: unknown): CarouselDraft {
  const fields = bodyFields(body);
  return {
    kind: 'carousel',
    name: requiredText(fields, 'name'),
    ...commonOf(fields),
    cards: fields.list('cards')?.map(cardOf) ?? [],
  };
}

function bodyFields(body: unknown): Fields {
  if (body !== undefined && !isPlainObject(body)) throw badRequest('the request body must be a JSON object');
  return new Fields(body ?? {}, '');
}

/** Reads `name` or `category`: a missing, blank or mistyped value is a 400. */
function requiredText(fields: Fields, name: string): string {
  const value = fields.value(name);
  if (value === null) throw badRequest(`${name} is required`);
  if (typeof value !== 'string') throw badRequest(wrongType(name, 'a string', value));
  if (value.trim() === '') throw badRequest(`${name} is required and must not be blank`);
  return value;
}

/** Reads an optional text; blank counts as absent. */
function presentText(fields: Fields, name: string): string | null {
  const value = fields.text(name);
  return value === null || value.trim() === '' ? null : value;
}

function commonOf(fields: Fields) {
  return {
    language: fields.text('language') ?? 'en_US',
    wabaPhoneId: wabaPhoneIdOf(fields),
    body: bodyOf(fields.child('body')),
    messageSendTtlSeconds: fields.number('message_send_ttl_seconds'),
  };
}

function wabaPhoneIdOf(fields: Fields): string | null {
  const value = fields.value('waba_phone_id');
  if (value !== null && !isRecordId(value)) throw badRequest(wrongId('waba_phone_id', value));
  return value;
}

const bodyOf = (fields: Fields | null): BodyDraft | null =>
  fields && { text: presentText(fields, 'text'), examples: fields.texts('examples') };

const footerOf = (fields: Fields | null) => fields && { text: presentText(fields, 'text') };

const headerOf = (fields: Fields | null): HeaderDraft | null =>
  fields && {
    format: fields.choice<HeaderFormat>('format', HEADER_FORMATS),
    text: presentText(fields, 'text'),
    textExample: fields.texts('text_example'),
  };

const offerOf = (fields: Fields | null): OfferDraft | null =>
  fields && { text: presentText(fields, 'text'), hasExpiration: fields.flag('has_expiration') ?? true };

const buttonOf = (fields: Fields): ButtonDraft => ({
  type: fields.choice<ButtonType>('type', BUTTON_TYPES),
  text: presentText(fields, 'text'),
  url: presentText(fields, 'url'),
  urlExample: presentText(fields, 'url_example'),
  phoneNumber: presentText(fields, 'phone_number'),
  copyCodeExample: presentText(fields, 'copy_code_example'),
  flowId: presentText(fields, 'flow_id'),
  flowAction: presentText(fields, 'flow_action'),
  navigateScreen: presentText(fields, 'navigate_screen'),
});

const cardOf = (fields: Fields): CardDraft => ({
  headerFormat: fields.text('header_format'),
  mediaUrl: presentText(fields, 'media_url'),
  bodyText: presentText(fields, 'body_text'),
  buttons: fields.list('buttons')?.map(buttonOf) ?? [],
});
