import { templateRuleBroken } from '../../errors/domain-error.js';
import { variablesOf } from '../template-variables.js';
import type { HeaderDraft } from './template-draft.js';

const MAX_VARIABLES = 1;

/**
 * Checks that a TEXT header has a text with at most one variable.
 *
 * @returns the text of a TEXT header, empty for other formats
 * @throws DomainError 422 `{detail}`
 */
export function checkHeader({ format, text }: HeaderDraft): string {
  if (format !== 'TEXT') return '';
  if (text === null) throw templateRuleBroken('header.text is required when header.format is TEXT');
  const variables = variablesOf(text);
  if (variables.length > MAX_VARIABLES) {
    throw templateRuleBroken(
      `header.text may contain at most ${MAX_VARIABLES} variable (got ${variables.map((name) => `{{${name}}}`).join(', ')})`,
    );
  }
  return text;
}
