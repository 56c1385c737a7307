import { GraphError } from '../graph-error.js';
import { exceeds, isObject, isText, type JsonObject } from '../json-object.js';
import { variablesOf } from './template-shape.js';

const NAME = /^[a-z_][a-z0-9_]*$/;

/** The network's error for an invalid template: always code 100, with a subcode for the reason. */
export const refuse = (details: string, subcode = 2388299): GraphError => new GraphError(100, details, { subcode });

/** Returns a required text of at most `limit` characters. */
export function checkText(text: unknown, part: string, limit: number): string {
  if (!isText(text)) throw refuse(`${part} text is required`, 2388043);
  if (exceeds(text, limit)) throw refuse(`${part} text is longer than ${limit} characters`, 2388040);
  return text;
}

/** Rejects variables in the wrong style or with gaps, and returns them. Their position in the text is not checked. */
export function checkVariables(text: string, part: string, named: boolean): string[] {
  const variables = variablesOf(text);
  const numbers = variables.filter((variable) => /^\d+$/.test(variable));
  if (named) {
    const wrong = variables.find((variable) => !NAME.test(variable));
    if (wrong === undefined) return variables;
    throw refuse(`${part}: {{${wrong}}} is no name of lower-case letters, digits and underscores`, 2388073);
  }
  if (numbers.length !== variables.length) {
    throw refuse(`${part}: variables must be numbers unless parameter_format is NAMED`, 2388073);
  }
  const inOrder = numbers.map(Number).sort((a, b) => a - b);
  if (inOrder.some((number, i) => number !== i + 1))
    throw refuse(`${part}: variables must be {{1}} to {{n}} without gaps`, 2388073);
  return variables;
}

/** Requires one example per variable: in the list `plain`, or for NAMED in `pairs` of {param_name, example}. */
export function checkExamples(variables: string[], part: string, named: boolean, plain: unknown, pairs: unknown): void {
  if (variables.length === 0) return;
  if (named) {
    const given = Array.isArray(pairs) ? pairs.filter(isObject) : [];
    const complete = variables.every((name) => given.some((pair) => pair.param_name === name && isText(pair.example)));
    if (!complete || given.length !== variables.length) {
      throw refuse(`${part}: each named variable needs one example {param_name, example}`, 2388043);
    }
    return;
  }
  if (!Array.isArray(plain) || plain.length !== variables.length || !plain.every(isText)) {
    throw refuse(`${part}: ${variables.length} example values are required`, 2388043);
  }
}

/** Checks the BODY of a template or a carousel card. */
export function checkBody(component: JsonObject, named: boolean, limit: number): void {
  const text = checkText(component.text, 'BODY', limit);
  const example = isObject(component.example) ? component.example : {};
  const [plain] = Array.isArray(example.body_text) ? example.body_text : [];
  checkExamples(checkVariables(text, 'BODY', named), 'BODY', named, plain, example.body_text_named_params);
}
