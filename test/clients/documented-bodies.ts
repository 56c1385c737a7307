import { readFileSync } from 'node:fs';
import path from 'node:path';
import { OPERATIONS, type OperationId } from '../../clients/typescript/src/generated/operations.js';
import { Manifest } from '../../src/manifest/manifest.js';
import { MANIFEST } from '../../src/rooms.js';

const ROOT = path.resolve(__dirname, '../..');

/** A JSON body that our documentation shows. */
export interface DocumentedBody {
  /** Where it stands, such as `README.md, contacts.create`. */
  readonly place: string;
  readonly operation: OperationId;
  /** An expression of JavaScript. */
  readonly expression: string;
}

/** Every body in the commands of a page that call Parley's API with `api`, the shorthand of curl. */
export function bodiesOfPage(page: string): DocumentedBody[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  const commands = [...text.matchAll(/^```(?:ba)?sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block).join('\n');
  const calls = [...commands.matchAll(/\bapi (?:(?!\bapi )[^\n])*?"\$URL(\/[^"]*)"((?: -X \w+)?) -d (?=['@])/g)];
  const shown = [...commands.matchAll(/\bapi \S[^|\n]* -d /g)].length;
  if (calls.length !== shown)
    throw new Error(`${page} has ${shown} calls with a body, but ${calls.length} are understood`);
  return calls.map((call) => {
    const [whole, route = '', method = ''] = call;
    const operation = operationOf(method.replace(' -X ', '') || 'POST', route, page);
    const rest = commands.slice(call.index + whole.length);
    const expression = rest.startsWith('@-') ? piped(commands.slice(0, call.index)) : jsonOf(shellWord(rest), page);
    return { place: `${page}, ${operation}`, operation, expression };
  });
}

/** The example bodies of the API's description. The client does not know extensions. */
export const describedBodies = (): DocumentedBody[] =>
  Object.entries(new Manifest(MANIFEST.core).examples.requests).flatMap(([operation, examples]) => {
    if (!isOperation(operation)) throw new Error(`a room has examples of ${operation}, which does not exist`);
    return Object.values(examples).map(({ summary, value }) => ({
      place: `the description, ${operation}: ${summary}`,
      operation,
      expression: JSON.stringify(value),
    }));
  });

const isOperation = (id: string): id is OperationId => Object.hasOwn(OPERATIONS, id);

/** A variable of the shell stands for one segment. A segment that is written out comes before a parameter. */
function operationOf(method: string, route: string, page: string): OperationId {
  const segments = route.replace(/\?.*$/, '').replace(/\/$/, '').split('/');
  const found = Object.entries(OPERATIONS).find(([, operation]) => {
    const expected = operation.path.split('/');
    return (
      operation.method === method &&
      expected.length === segments.length &&
      expected.every(
        (part, index) => part === segments[index] || (part.startsWith('{') && segments[index]?.startsWith('$')),
      )
    );
  });
  if (found === undefined || !isOperation(found[0])) throw new Error(`${page}: ${method} ${route} is no known route`);
  return found[0];
}

/** The word at the start of `text`: quoted parts and variables, joined. Variables become a word of text. */
function shellWord(text: string): string {
  const [word = ''] = /^(?:'[^']*'|\$\w+|\$\{[^}]*\}|\$\(\(.*?\)\))+/.exec(text) ?? [];
  return word.replace(/'([^']*)'|\$\w+|\$\{[^}]*\}|\$\(\(.*?\)\)/g, (_, quoted?: string) => quoted ?? 'variable');
}

function jsonOf(text: string, page: string): string {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch (error) {
    throw new Error(`${page}: ${text} is no JSON: ${(error as Error).message}`);
  }
}

/** `node -p "JSON.stringify(…)" |` before a call that reads its body from there. */
function piped(before: string): string {
  const [, expression] = /JSON\.stringify\(((?:(?!JSON\.stringify)[\s\S])*)\)" \| $/.exec(before) ?? [];
  if (expression === undefined) throw new Error('a body comes through a pipe that is not understood');
  return expression;
}
