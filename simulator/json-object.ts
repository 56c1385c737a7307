/** A parsed JSON object whose members are not validated yet. */
export type JsonObject = Record<string, unknown>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** The objects in an array, without its other elements; empty if `value` is not an array. */
export const objectsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** Whether `text` has more than `limit` Unicode code points. */
export const exceeds = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > 2 * limit || [...text].length > limit);

const NON_ASCII = /[\u0080-\uffff]/;
const EVERY_NON_ASCII = /[\u0080-\uffff]/g;
const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * JSON in plain ASCII, with every other character as `\uXXXX`: the form that the network signs and sends.
 * Our own files use it too, so a line's length is its number of bytes.
 */
export function asciiJson(value: unknown): string {
  const json = JSON.stringify(value);
  return NON_ASCII.test(json) ? json.replace(EVERY_NON_ASCII, escapeUnit) : json;
}
