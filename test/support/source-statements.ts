import { sourceFiles } from './source-files.js';

/** Placeholder for a part of a statement that is known only at run time. */
export const UNKNOWN = '…';

/** A statement found in a source file. */
export interface SourceStatement {
  readonly file: string;
  readonly sql: string;
}

/**
 * Finds the SQL statements in src/ and in extensions, including those that no test runs. Constants in template literals are substituted;
 * any other expression becomes {@link UNKNOWN}.
 */
export function sourceStatements(): SourceStatement[] {
  const files = sourceFiles();
  const exported = new Map(files.flatMap(({ text }) => [...constantsOf(text)]));
  return files.flatMap(({ file, text }) => {
    const constants = new Map([...exported, ...constantsOf(text)]);
    // Fragments are checked as part of the statements that contain them.
    const parts = new Set(
      [...constantsOf(text)].flatMap(([name, part]) => (text.includes(`\${${name}}`) ? [part] : [])),
    );
    return literalsOf(text)
      .filter((literal) => !parts.has(literal))
      .map((literal) => ({ file, sql: filledIn(literal, constants) }))
      .filter(({ sql }) => /^\s*(?:SELECT\b|INSERT INTO|UPDATE \w+|DELETE FROM|WITH (?:RECURSIVE )?\w+ AS)/.test(sql));
  });
}

const constantsOf = (text: string): Map<string, string> =>
  new Map([
    ...[...text.matchAll(/const (\w+)(?:: \w+)? =\s*(?=[`'])/g)].map(
      ({ 0: start, 1: name = '', index }): [string, string] => [name, literalAt(text, index + start.length)],
    ),
    ...[...text.matchAll(/const (\w+) = (\d+);/g)].map(({ 1: name = '', 2: value = '' }): [string, string] => [
      name,
      value,
    ]),
  ]);

const literalsOf = (text: string): string[] =>
  [...text.matchAll(/[`'"](?=\s*(?:\$\{\w+\}|SELECT|INSERT|UPDATE|DELETE|WITH)\s)/g)].map(({ index }) =>
    literalAt(text, index),
  );

/** The text of the literal that starts at `start`; expressions in `${…}` may contain other literals. */
function literalAt(text: string, start: number): string {
  let depth = 0;
  for (let at = start + 1; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    else if (depth > 0 && text[at] === '}') depth -= 1;
    else if (depth === 0 && text[at] === text[start]) return text.slice(start + 1, at);
  }
  return '';
}

function filledIn(literal: string, constants: ReadonlyMap<string, string>): string {
  const parts: string[] = [];
  for (let at = 0; at < literal.length; ) {
    const start = literal.indexOf('${', at);
    parts.push(literal.slice(at, start < 0 ? undefined : start));
    if (start < 0) break;
    let depth = 1;
    let end = start + 2;
    for (; end < literal.length && depth > 0; end += 1) {
      if (literal.startsWith('${', end)) depth += 1;
      else if (literal[end] === '}') depth -= 1;
    }
    const constant = constants.get(literal.slice(start + 2, end - 1));
    parts.push(constant === undefined ? UNKNOWN : filledIn(constant, constants));
    at = end;
  }
  return parts.join('');
}
