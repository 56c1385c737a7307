import type { Type } from '@nestjs/common';

const MARKED = 'parley:shown-once';
/** Where Nest keeps the classes of a route's responses, by status. */
const RESPONSES = 'swagger/apiResponse';

/**
 * Marks a field of a response that holds a key or a secret. Only this response shows it, and its replay to the same
 * caller: the value is stored apart from the rest of the response. For fields of the response itself, not of its parts,
 * which other routes show too.
 */
export const ShownOnce = (): PropertyDecorator => (prototype, field) => {
  Reflect.defineMetadata(MARKED, [...markedFields(prototype), String(field)], prototype);
};

/** The marked fields of a response class. */
export const shownOnceIn = (response: Type): readonly string[] => markedFields(response.prototype as object);

/** The marked fields of the responses that a route declares. */
export function shownOnceBy(handler: object): readonly string[] {
  const responses = Object.values(
    (Reflect.getMetadata(RESPONSES, handler) ?? {}) as Record<string, { type?: unknown }>,
  );
  return responses.flatMap(({ type }) => (isClass(type) ? shownOnceIn(type) : []));
}

const markedFields = (prototype: object): readonly string[] =>
  (Reflect.getMetadata(MARKED, prototype) as readonly string[] | undefined) ?? [];

const isClass = (type: unknown): type is Type => typeof type === 'function';
