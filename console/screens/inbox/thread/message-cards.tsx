import { Icon } from '../../../parts/icon.js';
import { inboxThreadWords as words } from '../../../words/inbox-thread.js';
import { count, decimal } from '../../../words/numbers.js';
import type { Message } from '../records.js';
import { RichText } from './rich-text.js';

type Json = Readonly<Record<string, unknown>>;

/** Entries of a list that are shown; the rest is counted. */
const MAX_LISTED = 20;

const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
const objects = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.map(object) : []);
const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** A place, with a link to a map elsewhere. */
export function PlaceLink({ place }: { place: NonNullable<Message['location']> }) {
  const { latitude, longitude, name, address } = place;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <div class="inset">
      {name !== undefined && (
        <p class="strong" dir="auto">
          {name}
        </p>
      )}
      {address !== undefined && <p dir="auto">{address}</p>}
      <p class="xs dim num">
        <bdi>{words.place.coordinates(latitude, longitude)}</bdi>
      </p>
      <a class="link" href={map} target="_blank" rel="noopener noreferrer">
        {words.place.map}
      </a>
    </div>
  );
}

/** The contact cards that somebody sent. */
export function CardList({ cards }: { cards: readonly Json[] }) {
  return (
    <ul class="cards">
      {cards.slice(0, MAX_LISTED).map((card, place) => (
        <li key={`${place}`} class="inset">
          <p class="strong" dir="auto">
            <Icon name="user" /> {cardName(card)}
          </p>
          {cardLines(card).map((line) => (
            <p key={line} class="sm">
              <bdi>{line}</bdi>
            </p>
          ))}
        </li>
      ))}
      {cards.length > MAX_LISTED && <li>{words.card.more(cards.length - MAX_LISTED)}</li>}
    </ul>
  );
}

function cardName(card: Json): string {
  const name = object(card['name']);
  const parts = [text(name['first_name']), text(name['last_name'])].filter((one) => one !== null);
  return text(name['formatted_name']) ?? (parts.join(' ') || words.card.unnamed);
}

function cardLines(card: Json): readonly string[] {
  const company = text(object(card['org'])['company']);
  const lines = [
    company,
    ...objects(card['phones']).map(({ phone, wa_id }) => text(phone) ?? text(wa_id)),
    ...objects(card['emails']).map(({ email }) => text(email)),
    ...objects(card['urls']).map(({ url }) => text(url)),
  ];
  return [...new Set(lines.filter((line) => line !== null))].slice(0, MAX_LISTED);
}

/** An order from a catalogue. */
export function OrderTable({ order }: { order: Json }) {
  const items = objects(order['product_items']);
  const note = text(order['text']);
  const sums = new Map<string, number>();
  for (const { quantity, item_price, currency } of items) {
    const sum = numberOf(item_price, 0) * numberOf(quantity, 1);
    const unit = text(currency) ?? '';
    sums.set(unit, (sums.get(unit) ?? 0) + sum);
  }
  const { order: labels } = words;
  return (
    <>
      {note !== null && <RichText text={note} />}
      <table class="order num">
        <caption class="hide">{labels.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{labels.item}</th>
            <th scope="col">{labels.quantity}</th>
            <th scope="col">{labels.price}</th>
          </tr>
        </thead>
        <tbody>
          {items.slice(0, MAX_LISTED).map((item, place) => (
            <tr key={`${place}`}>
              <td>
                <bdi>{text(item['product_retailer_id']) ?? labels.item}</bdi>
              </td>
              <td>{count(numberOf(item['quantity'], 1))}</td>
              <td>{price(numberOf(item['item_price'], 0), text(item['currency']) ?? '')}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {[...sums].map(([currency, sum]) => (
            <tr key={currency}>
              <th scope="row" colSpan={2}>
                {labels.total}
              </th>
              <td>{price(sum, currency)}</td>
            </tr>
          ))}
        </tfoot>
      </table>
      {items.length > MAX_LISTED && <p class="xs">{words.card.more(items.length - MAX_LISTED)}</p>}
    </>
  );
}

const numberOf = (value: unknown, otherwise: number): number => {
  const number = Number(value);
  return value === null || value === undefined || !Number.isFinite(number) ? otherwise : number;
};

function price(amount: number, currency: string): string {
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount);
  } catch {
    return `${decimal(amount)} ${currency}`.trim();
  }
}

/** What was filled into a form. */
export function FormAnswers({ response, content }: { response: Json | null; content: string }) {
  const answers = Object.entries(response ?? {}).filter(([name]) => name !== 'flow_token');
  return (
    <div class="inset">
      <p class="by">
        <Icon name="check" />
        {words.form.filled}
      </p>
      {content !== '' && <RichText text={content} />}
      {answers.length === 0 && content === '' && <p class="gone">{words.form.empty}</p>}
      {answers.length > 0 && (
        <dl class="answers">
          {answers.slice(0, MAX_LISTED).map(([name, value]) => (
            <div key={name}>
              <dt dir="auto">{readableName(name)}</dt>
              <dd dir="auto">{readableValue(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      {answers.length > MAX_LISTED && <p class="xs">{words.card.more(answers.length - MAX_LISTED)}</p>}
    </div>
  );
}

/** “delivery_day” as people write it: “Delivery day”. */
export function readableName(name: string): string {
  const spaced = name.replaceAll(/[_-]+/g, ' ').trim();
  return spaced === '' ? name : spaced[0]?.toUpperCase() + spaced.slice(1);
}

/** A value of a form in one line. */
export function readableValue(value: unknown): string {
  if (Array.isArray(value)) return value.map(readableValue).join(', ');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, inner]) => `${readableName(name)}: ${readableValue(inner)}`)
      .join(', ');
  }
  return value === null || value === undefined ? '' : String(value);
}
