import { templateRuleBroken } from '../../errors/domain-error.js';
import { shown } from '../../http/field-rules.js';
import { networkVariablesOf, styleOf, variablesOf } from '../template-variables.js';

/** Returns `text`; throws when it is missing. */
export function given(field: string, text: string | null): string {
  if (text === null) throw templateRuleBroken(`${field} is required`);
  return text;
}

/** A text and its path in error messages. */
export interface NamedText {
  readonly field: string;
  readonly text: string;
}

/**
 * Checks the variables of header and body together: one style, names that differ by more than case, and numbers from 1
 * without gaps in each text.
 */
export function checkVariables(texts: readonly NamedText[]): void {
  const found = texts.flatMap(({ field, text }) => variablesOf(text).map((variable) => ({ field, variable })));
  const malformed = found.find(({ variable }) => styleOf(variable) === 'malformed');
  if (malformed !== undefined) {
    throw templateRuleBroken(
      `${malformed.field}: {{${malformed.variable && shown(malformed.variable)}}} is neither a number, such as {{1}}, nor a name of letters, digits and underscores, such as {{name}}`,
    );
  }
  const numbered = found.find(({ variable }) => styleOf(variable) === 'numbered');
  const named = found.find(({ variable }) => styleOf(variable) === 'named');
  if (numbered !== undefined && named !== undefined) {
    throw templateRuleBroken(
      `numbered and named variables must not be mixed in one template: ${numbered.field} has {{${numbered.variable}}} and ${named.field} has {{${named.variable}}}`,
    );
  }
  if (named !== undefined) checkCase(found.map(({ variable }) => variable));
  else for (const { field, text } of texts) checkSequence(field, text);
}

function checkCase(names: readonly string[]): void {
  const written = new Map<string, string>();
  for (const name of names) {
    const known = written.get(name.toLowerCase());
    if (known !== undefined && known !== name) {
      throw templateRuleBroken(
        `variable names are case-insensitive: {{${known}}} and {{${name}}} must be written the same way or renamed`,
      );
    }
    written.set(name.toLowerCase(), name);
  }
}

function checkSequence(field: string, text: string): void {
  const numbers = networkVariablesOf(text);
  const expected = numbers.map((_, index) => String(index + 1));
  if (numbers.join() === expected.join()) return;
  throw templateRuleBroken(
    `${field}: variables must be numbered from {{1}} to {{${numbers.length}}} without gaps (got ${numbers.map((number) => `{{${number}}}`).join(', ')})`,
  );
}

/** Refuses variables; the network treats opening braces alone as the start of one. */
export function checkNoVariables(field: string, text: string): void {
  const opened = text.indexOf('{{');
  if (opened < 0) return;
  const closed = text.indexOf('}}', opened);
  const variable = text.slice(opened, closed < 0 ? undefined : closed + 2);
  throw templateRuleBroken(`${field} must not contain variables (got ${shown(variable)})`);
}
