import { maskIdentifiers } from '../values/person-identifiers.js';
import type { PersonTokens } from '../values/redaction.js';

const ERASED = '*****';

/** Whether the path of a request names one of these people, encoded or not. */
export const isPathAbout = (path: string, people: PersonTokens): boolean =>
  path.split('/').some((segment) => people.areNamedIn(segment));

/** The path of a request with the identifiers of everybody else masked. */
export const pathAbout = (path: string, people: PersonTokens): string =>
  eachSegment(path, (segment) => (people.areNamedIn(segment) ? segment : maskIdentifiers(segment)));

/** The path of a request without the identifiers of these people. */
export const pathWithout = (path: string, people: PersonTokens): string =>
  eachSegment(path, (segment) => (people.areNamedIn(segment) ? ERASED : segment));

const eachSegment = (path: string, change: (segment: string) => string): string =>
  path.split('/').map(change).join('/');
