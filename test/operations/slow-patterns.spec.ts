import path from 'node:path';
import { outputOf } from '../support/commands.js';

const SLOW: readonly (readonly [what: string, code: string])[] = [
  [
    'a word of any length that something has to follow',
    String.raw`const TOKEN = /[^\s"'<>()[\]{},;:@]+@[^\s"'<>()[\]{},;:@]+|\b[A-Z]{2}\.[A-Za-z0-9]+|\d{7,}/g;`,
  ],
  ['a run at the end', String.raw`text.replace(/\.+$/, '')`],
  ['two quantifiers over the same characters', String.raw`const NUMBER = /^\d*\.?\d+$/;`],
  ['a quantifier inside a quantifier', 'const WORDS = /^(?:[a-z]+)+$/;'],
  [
    'a pattern made of constants',
    `const WORD = String.raw\`[^\\s@]+\`;\nconst TOKEN = new RegExp(\`$\{WORD}@\`, 'g');`,
  ],
  ['a pattern that only exists at run time', 'export const made = (text: string) => new RegExp(text);'],
];

const FAST: readonly (readonly [what: string, code: string])[] = [
  ['what is anchored', 'const KEY = /^[a-z]+$/;'],
  ['what may begin with a quantifier because it always matches', String.raw`const WORD = /[^\s@]+(?:@[^\s@]+)?/g;`],
  ['a run that nothing of its own kind precedes', String.raw`text.replace(/(?<!\.)\.+$/, '')`],
];

const PROGRAM = `
  import { json } from 'node:stream/consumers';
  import { slowPatterns } from './scripts/slow-patterns.mjs';
  const codes = await json(process.stdin);
  console.log(JSON.stringify(codes.map((code) => slowPatterns('src/some.ts', code))));
`;

/** What the check says about each of these files. */
function check(codes: readonly string[]): string[][] {
  const stdout = outputOf(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    cwd: path.resolve(__dirname, '../..'),
    input: JSON.stringify(codes),
  });
  return JSON.parse(stdout) as string[][];
}

describe('the check for slow patterns', () => {
  const found = check([...SLOW, ...FAST].map(([, code]) => code));

  it.each(SLOW.map(([what], index) => [what, index] as const))('refuses %s', (_, index) => {
    expect(found[index]).toEqual([expect.stringMatching(/^src\/some\.ts:[12]: /)]);
  });

  it.each(FAST.map(([what], index) => [what, SLOW.length + index] as const))('allows %s', (_, index) => {
    expect(found[index]).toEqual([]);
  });
});
