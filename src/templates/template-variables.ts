import type { ParameterFormat } from './template.js';

/** A variable: anything between double braces. */
const VARIABLE = /\{\{([^{}]*)\}\}/g;
const NUMBER = /^\d+$/;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** How a variable is written: `{{1}}`, `{{name}}`, or neither. */
export type VariableStyle = 'numbered' | 'named' | 'malformed';

export const styleOf = (variable: string): VariableStyle =>
  NUMBER.test(variable) ? 'numbered' : NAME.test(variable) ? 'named' : 'malformed';

/** The distinct variables of `text` as written, in order of appearance. */
export const variablesOf = (text: string): string[] => [
  ...new Set([...text.matchAll(VARIABLE)].map((match) => (match[1] ?? '').trim())),
];

/** The distinct variables in the network's form: names in lower case, numbers in ascending order. */
export function networkVariablesOf(text: string): string[] {
  const variables = [...new Set(variablesOf(text).map((variable) => variable.toLowerCase()))];
  return variables.every((variable) => NUMBER.test(variable))
    ? variables.sort((a, b) => Number(a) - Number(b))
    : variables;
}

/** The text in the network's form: variable names in lower case, no blanks inside the braces. */
export const networkText = (text: string): string =>
  text.replace(VARIABLE, (_, variable: string) => `{{${variable.trim().toLowerCase()}}}`);

/** Fills in the variables that have a value; the others stay as they are. */
export const fill = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(VARIABLE, (whole, variable: string) => values.get(variable.trim().toLowerCase()) ?? whole);

/** The format of texts that do not mix styles; POSITIONAL without variables. */
export const parameterFormatOf = (texts: readonly string[]): ParameterFormat =>
  texts.flatMap(variablesOf).some((variable) => styleOf(variable) === 'named') ? 'NAMED' : 'POSITIONAL';

/**
 * How many variables header and body have together. Numbered variables count from 1 in each, so the same number is two
 * variables; the same name is one.
 */
export function countVariables(header: string, body: string, format: ParameterFormat): number {
  const [ofHeader, ofBody] = [networkVariablesOf(header), networkVariablesOf(body)];
  return format === 'NAMED' ? new Set([...ofHeader, ...ofBody]).size : ofHeader.length + ofBody.length;
}
