import { isObject, type JsonObject, objects, text } from '../values/network-json.js';

/** Entries of a list that are written out; the rest is counted. */
const MAX_LISTED = 20;

/** A finite number, also one that is written as text; null for anything else. */
function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** The coordinates of a place; null when one of them is missing. */
export function coordinatesOf(place: JsonObject): { readonly latitude: number; readonly longitude: number } | null {
  const [latitude, longitude] = [numberOf(place['latitude']), numberOf(place['longitude'])];
  return latitude === null || longitude === null ? null : { latitude, longitude };
}

/** A place: its name and address, and the coordinates. */
export function readablePlace(place: {
  readonly latitude: number;
  readonly longitude: number;
  readonly name?: string;
  readonly address?: string;
}): string {
  const coordinates = `${place.latitude}, ${place.longitude}`;
  const named = [place.name, place.address].filter((each) => each !== undefined);
  return named.length === 0 ? coordinates : `${named.join(', ')} (${coordinates})`;
}

const listed = (entries: readonly string[]): string => {
  const rest = entries.length - MAX_LISTED;
  return [...entries.slice(0, MAX_LISTED), ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ');
};

/** Contact cards: the name and the numbers of each. */
export const readableCards = (cards: readonly JsonObject[]): string => listed(cards.map(readableCard));

function readableCard(card: JsonObject): string {
  const name = isObject(card['name']) ? card['name'] : {};
  const shown =
    text(name['formatted_name']) ??
    (['first_name', 'last_name']
      .map((field) => text(name[field]))
      .filter((each) => each !== null)
      .join(' ') ||
      'Contact');
  const numbers = objects(card['phones']).flatMap(({ phone, wa_id }) => text(phone) ?? text(wa_id) ?? []);
  return numbers.length === 0 ? shown : `${shown}: ${numbers.slice(0, MAX_LISTED).join(', ')}`;
}

/** Digits after the point of the smallest amounts. */
const MAX_DECIMALS = 3;

/** An order: what the person wrote with it, its items, and the sum in each currency. */
export function readableOrder(order: JsonObject): string {
  const items = objects(order['product_items']);
  const sums = new Map<string, number>();
  const entries = items.map((item) => {
    const quantity = numberOf(item['quantity']) ?? 1;
    const price = numberOf(item['item_price']);
    const currency = text(item['currency']) ?? '';
    if (price !== null) sums.set(currency, (sums.get(currency) ?? 0) + quantity * price);
    return `${quantity} × ${text(item['product_retailer_id']) ?? 'item'}`;
  });
  const total = [...sums].map(([currency, sum]) => `${amount(sum)} ${currency}`.trim()).join(' + ');
  const written = [listed(entries), total].filter((each) => each !== '').join(': ');
  return [text(order['text']), written].filter((each) => each !== null && each !== '').join('\n');
}

/** With two decimals, or three where the currency has them. */
function amount(sum: number): string {
  const exact = sum.toFixed(MAX_DECIMALS);
  return exact.endsWith('0') ? exact.slice(0, -1) : exact;
}
