import { DomainError } from '../../errors/domain-error.js';
import { readRequest } from '../../http/request-reader.js';
import { CreateCarouselRequest, CreateTemplateRequest } from '../dto/create-template.dto.js';

type Fields = Record<string, unknown>;

export const QUICK_REPLY = { type: 'QUICK_REPLY', text: 'Yes' };
export const URL_BUTTON = { type: 'URL', text: 'Open', url: 'https://shop.example/' };
export const COPY_CODE = { type: 'COPY_CODE', copy_code_example: 'SAVE10' };
export const OFFER: Fields = {
  limited_time_offer: { text: 'Ends soon' },
  offer_code: 'SAVE10',
  buttons: [{ type: 'COPY_CODE' }],
};
export const CARD: Fields = {
  header_format: 'IMAGE',
  media_url: 'https://cdn.example/1',
  body_text: 'One',
  buttons: [QUICK_REPLY],
};
const TEMPLATE: Fields = { name: 'order_update', category: 'MARKETING', body: { text: 'Hello' } };
const CAROUSEL: Fields = { name: 'sale', body: { text: 'Hello' }, cards: [CARD, CARD] };

/** `accepted`, or the status, format and message of the error that `check` throws. */
export function outcomeOf(check: () => void): string {
  try {
    check();
    return 'accepted';
  } catch (error) {
    if (error instanceof DomainError) return `${error.status} ${error.format} ${error.message}`;
    throw error;
  }
}

/** Checks the smallest template with `fields` added. */
export const create = (fields: Fields): string =>
  outcomeOf(() => readRequest(CreateTemplateRequest, { ...TEMPLATE, ...fields }).check());

/** Checks the smallest carousel with `fields` added. */
export const createCarousel = (fields: Fields): string =>
  outcomeOf(() => readRequest(CreateCarouselRequest, { ...CAROUSEL, ...fields }).check());

/** Checks a carousel with one card for each entry. */
export const createCards = (...cards: Fields[]): string =>
  createCarousel({ cards: cards.map((fields) => ({ ...CARD, ...fields })) });

export const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

/** Letters of two UTF-16 units each: limits count code points. */
export const letters = (count: number): string => '😀'.repeat(count);
