import { maskIdentifiers } from '../values/person-identifiers.js';
import type { PersonTokens } from '../values/redaction.js';

const ERASED = '*****';

/** Whether the path of a request names one of these people, encoded or not. */
export const isPathAbout = (path: string, people: PersonTokens): boolean =>
  path.split('/').some((segment) => names(people, segment));

/** The path of a request with the identifiers of everybody else masked. */
export const pathAbout = (path: string, people: PersonTokens): string =>
  eachSegment(path, (segment) => (names(people, segment) ? segment : maskIdentifiers(segment)));

/** The path of a request without the identifiers of these people. */
export const pathWithout = (path: string, people: PersonTokens): string =>
  eachSegment(path, (segment) => (names(people, segment) ? ERASED : segment));

const eachSegment = (path: string, change: (segment: string) => string): string =>
  path.split('/').map(change).join('/');

function names(people: PersonTokens, segment: string): boolean {
  try {
    return people.areNamedIn(decodeURIComponent(segment));
  } catch {
    return people.areNamedIn(segment);
  }
}
