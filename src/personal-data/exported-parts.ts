import { type PersonTokens, partsAbout } from '../values/redaction.js';
import type { ExportedCallback, ExportedEvent } from './contact-export.queries.js';

// Rows that may be about several people, reduced to what they say about one. Each function returns JSON text.

/** An event: an event of the contact as it is, any other without what it says about others. */
export const eventAbout = ({ json, unattributed }: ExportedEvent, people: PersonTokens): string =>
  unattributed === null ? json : JSON.stringify({ ...parsed(json), about: partsAbout(parsed(unattributed), people) });

/** How the network sent every stored callback, and how it was answered. */
const CALLBACK = { method: 'POST', path: '/network/callbacks', status: 200 };

/** A callback: the network reports several people together. */
export const callbackAbout = ({ field, receivedAt, body }: ExportedCallback, people: PersonTokens): string =>
  JSON.stringify({ ...CALLBACK, field, received_at: receivedAt, about: partsAbout(parsed(body), people) });

interface DeliveryRow {
  readonly attempts: readonly { readonly response: string | null }[];
}

/** A delivery: receivers may respond with anything. */
export function deliveryAbout(json: string, people: PersonTokens): string {
  const delivery = parsed(json) as DeliveryRow;
  const attempts = delivery.attempts.map((attempt) => ({
    ...attempt,
    response: attempt.response === null ? null : textAbout(attempt.response, people),
  }));
  return JSON.stringify({ ...delivery, attempts });
}

/** JSON is reduced to the objects about the people, any other text to the lines that name them and nobody else. */
function textAbout(text: string, people: PersonTokens): string {
  if (!people.areNamedIn(text)) return '';
  const value = parsed(text);
  if (typeof value === 'object' && value !== null) return JSON.stringify(partsAbout(value, people));
  return text
    .split('\n')
    .filter((line) => people.areNamedIn(line) && !people.othersAreNamedIn(line))
    .join('\n');
}

/** Undefined when a text is not JSON. */
function parsed(text: string): object | undefined {
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}
