import { badRequest } from '../errors/domain-error.js';
import { shown } from '../http/field-rules.js';

/** The fields of a contact that a saved reply may name. */
const VARIABLES: readonly string[] = ['first_name', 'last_name', 'phone_number', 'email', 'company'];
const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** @throws DomainError 400 for a variable that no contact has: it would reach the customer as it is written */
export function withKnownVariables(text: string): string {
  for (const [, name = ''] of text.matchAll(VARIABLE)) {
    if (!VARIABLES.includes(name)) {
      throw badRequest(`text has the variable ${shown(name)}, which must be one of ${VARIABLES.join(', ')}`);
    }
  }
  return text;
}
