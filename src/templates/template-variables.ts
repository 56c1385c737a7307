import type { ParameterFormat } from './template.js';

/** What stands between double braces. */
const VARIABLE = /\{\{([^{}]*)\}\}/g;
const NUMBER = /^\d+$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** How a variable is written: `{{1}}`, `{{name}}`, or neither. */
export type VariableStyle = 'numbered' | 'named' | 'malformed';

export const styleOf = (variable: string): VariableStyle =>
  NUMBER.test(variable) ? 'numbered' : NAME.test(variable) ? 'named' : 'malformed';

/** The distinct variables of `text` in order of appearance, as they are written. */
export const variablesOf = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map((match) => (match[1] ?? '').trim())),
];

/** The distinct variables as the network has them: names in lower case, numbers in ascending order. */
export function networkVariablesOf(text: string): string[] {
  const variables = [...new Set(variablesOf(text).map((variable) => variable.toLowerCase()))];
  return variables.every((variable) => NUMBER.test(variable))
    ? variables.sort((a, b) => Number(a) - Number(b))
    : variables;
}

/** The text as it goes upstream: names in lower case, no blanks inside the braces. */
export const networkText = (text: string): string =>
  text.replace(VARIABLE, (_, variable: string) => `{{${variable.trim().toLowerCase()}}}`);

/** `text` with every variable that `values` knows filled in; the others stay as they are. */
export const fill = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(VARIABLE, (whole, variable: string) => values.get(variable.trim().toLowerCase()) ?? whole);

/** The style of texts that do not mix them; without variables it is POSITIONAL. */
export const parameterFormatOf = (texts: readonly string[]): ParameterFormat =>
  texts.flatMap(variablesOf).some((variable) => styleOf(variable) === 'named') ? 'NAMED' : 'POSITIONAL';

/**
 * How many variables header and body have. Numbers of header and body are different variables, since each
 * counts from 1; the same name is the same variable.
 */
export function countVariables(header: string, body: string, format: ParameterFormat): number {
  const [ofHeader, ofBody] = [networkVariablesOf(header), networkVariablesOf(body)];
  return format === 'NAMED' ? new Set([...ofHeader, ...ofBody]).size : ofHeader.length + ofBody.length;
}
