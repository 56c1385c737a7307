import { storableText } from './storable-text.js';

/** A JSON object of the network, of which nothing is known yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
/** The objects of a list; anything else is skipped. */
export const objects = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
/** A non-empty string that PostgreSQL can store; null for anything else. */
export const text = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? storableText(value) : null;
/** Reads unix seconds, which the network sends as digits in a string or as a number. */
export function unixSeconds(value: unknown): number | null {
  const seconds = typeof value === 'string' && /^\d{1,12}$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
