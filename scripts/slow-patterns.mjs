// Finds regular expressions whose time grows faster than the text that they read: one request with a long text would
// then hold up everybody else's. Part of `npm run check`, with the other house rules.
import { analyse } from 'scslre';
import ts from 'typescript';

/**
 * Files that make patterns from values which only exist at run time, and why that is safe. Whatever else calls
 * `new RegExp` passes a literal, or constants of its own file, so that it can be checked.
 */
const MADE_AT_RUN_TIME = new Map([
  ['src/http/route-table.ts', 'made at start from the paths of our own routes, with a class without / per segment'],
  ['src/values/numbering-plans.ts', 'from the tables of libphonenumber, anchored, for at most 20 digits'],
  ['simulator/templates/template-parameters.ts', 'the name of a variable: letters, digits and underscores'],
]);

const EXPLANATIONS = {
  Self: 'a quantifier inside a quantifier can divide the same text in many ways',
  Trade: 'two quantifiers in a row can divide the same text in many ways',
  Move: 'it begins with a quantifier and is not anchored, so a long run is read again from each of its characters',
};

/**
 * The slow patterns of one source file, each as `file:line: why`.
 * @param file its path, from the root
 * @param text its content
 */
export function slowPatterns(file, text) {
  return patternsIn(file, text).flatMap(({ line, pattern, flags }) => {
    if (pattern !== undefined) {
      const types = new Set(faultsOf(pattern, flags).map(({ type }) => type));
      return [...types].map((type) => `${file}:${line}: the pattern is slow for long texts: ${EXPLANATIONS[type]}`);
    }
    if (MADE_AT_RUN_TIME.has(file)) return [];
    return [`${file}:${line}: write the pattern as a literal, so that its speed can be checked`];
  });
}

/**
 * All patterns of one source file.
 * @returns `[{ line, pattern, flags }]`; without `pattern` where it only exists at run time
 */
export function patternsIn(file, text) {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const add = (node, pattern, flags = '') => {
    found.push({ line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1, pattern, flags });
  };
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isNamed(node.expression, 'RegExp')) {
      add(node, ...(node.arguments ?? []).map((argument) => constantText(argument, source)));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** What makes a pattern slow; empty if it takes time in proportion to the text. */
function faultsOf(source, flags) {
  try {
    return analyse({ source, flags }, { reportTypes: { Self: true, Trade: true, Move: true } }).reports;
  } catch {
    // Not a pattern at all: the compiler says so.
    return [];
  }
}

const isNamed = (node, name) => ts.isIdentifier(node) && node.text === name;

/** The text of an expression made of literals and constants of its file; undefined if it is anything else. */
function constantText(node, source) {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTaggedTemplateExpression(node)) {
    return node.tag.getText() === 'String.raw' && ts.isNoSubstitutionTemplateLiteral(node.template)
      ? node.template.rawText
      : undefined;
  }
  if (ts.isIdentifier(node)) {
    const value = constantNamed(node.text, source);
    return value && constantText(value, source);
  }
  if (!ts.isTemplateExpression(node)) return undefined;
  const parts = node.templateSpans.flatMap(({ expression, literal }) => [
    constantText(expression, source),
    literal.text,
  ]);
  return parts.every((part) => typeof part === 'string') ? node.head.text + parts.join('') : undefined;
}

/** The initial value of a top-level `const`. */
const constantNamed = (name, source) =>
  source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => (declarationList.flags & ts.NodeFlags.Const ? declarationList.declarations : []))
    .find((declaration) => isNamed(declaration.name, name))?.initializer;
