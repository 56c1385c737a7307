import { ControlError } from '../control/control-error.js';
import { isObject, isText, type JsonObject } from '../json-object.js';

const isAbsent = (value: unknown): boolean => value === undefined || value === null;

/** A text that the kind of message needs. */
export function requiredText(input: JsonObject, name: string): string {
  const value = input[name];
  if (!isText(value)) throw new ControlError(`${name} is required for type ${String(input.type)}`);
  return value;
}

/** A text that may be missing, but not be anything else. */
export function optionalText(input: JsonObject, name: string): string | undefined {
  const value = input[name];
  if (isAbsent(value)) return undefined;
  if (!isText(value)) throw new ControlError(`${name} must be a text that is not blank`);
  return value;
}

/** Whether a field is true. */
export function flag(input: JsonObject, name: string): boolean {
  const value = input[name];
  if (isAbsent(value)) return false;
  if (typeof value !== 'boolean') throw new ControlError(`${name} must be true or false`);
  return value;
}

/** An object that may be missing; `shape` describes it in the error message. */
export function optionalObject(input: JsonObject, name: string, shape: string): JsonObject | undefined {
  const value = input[name];
  if (isAbsent(value)) return undefined;
  if (!isObject(value)) throw new ControlError(`${name} must be an object ${shape}`);
  return value;
}

/** An array of objects that may be missing, but not be empty; `shape` describes one of them in the error message. */
export function optionalList(input: JsonObject, name: string, shape: string): JsonObject[] | undefined {
  const value = input[name];
  if (isAbsent(value)) return undefined;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isObject))
    throw new ControlError(`${name} must be an array of ${shape}`);
  return value;
}

/** Unix seconds, from a number or a string of digits; defaults to now. */
export function timestampOf(value: unknown): string {
  if (value === undefined) return Math.floor(Date.now() / 1000).toString();
  if (!/^\d{1,12}$/.test(String(value))) throw new ControlError('timestamp must be unix seconds');
  return String(value);
}
