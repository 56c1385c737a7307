import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, temporaryDirectory } from '../sandbox/program.js';
import { outputOf } from '../support/commands.js';
import { inherited } from '../support/inherited.js';

const page = readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
/** The command line of step 7, without the line that asks for root. */
const [, script = ''] = /^ *sudo tee \/usr\/local\/bin\/parley .*\n([\s\S]*?)^ *SH\n/m.exec(page) ?? [];

describe('the command line on Debian', () => {
  const home = temporaryDirectory();
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  const marker = path.join(home, 'marker');
  const [file, program, command] = ['environment', 'program.mjs', 'parley'].map((name) => path.join(home, name)) as [
    ...[string, string, string],
  ];

  /** What the program gets of a file with these lines. */
  function run(
    lines: string,
    ...args: string[]
  ): { value: string | undefined; other: string | undefined; args: string[] } {
    writeFileSync(file, lines);
    writeFileSync(
      program,
      `const { VALUE: value, OTHER: other } = process.env;
       process.stdout.write(JSON.stringify({ value, other, args: process.argv.slice(2) }));`,
    );
    const text = script
      .replaceAll(/^ {3}/gm, '')
      .replace(/^.*exec sudo.*\n/m, '')
      .replace('/opt/parley/scripts', path.join(ROOT, 'scripts'))
      .replace('/etc/parley/environment', file)
      .replace('/opt/parley/dist/src/cli.js', program);
    writeFileSync(command, text);
    chmodSync(command, 0o755);
    const env = { ...inherited(), HOME: '/home/somebody', VALUE: 'of the shell' };
    return JSON.parse(outputOf('sh', [command, ...args], { env }));
  }

  it('is on the page', () => {
    expect(script).toContain('with-environment-file.mjs');
  });

  // As systemd.exec(5) and systemd's own parser have it.
  it.each([
    ['plain', 'postgres://parley:a@b:5432/c?d=e&f=g', 'postgres://parley:a@b:5432/c?d=e&f=g'],
    ['a variable', '$HOME', '$HOME'],
    ['a variable in braces', `pass\${HOME}word`, `pass\${HOME}word`],
    ['a variable in double quotes', '"$HOME"', '$HOME'],
    ['an escaped variable in double quotes', '"\\$HOME"', '$HOME'],
    ['a command', `$(touch ${marker})`, `$(touch ${marker})`],
    ['a command in backquotes', `\`touch ${marker}\``, `\`touch ${marker}\``],
    ['a command after a semicolon', `a; touch ${marker}`, `a; touch ${marker}`],
    ['a quote within', `it's "quoted"`, `it's "quoted"`],
    ['single quotes around', `'a "b" $c \\d'`, 'a "b" $c \\d'],
    ['double quotes around', `"it's \\"quoted\\" \\n"`, `it's "quoted" \\n`],
    ['two quoted parts', `"a"'b'`, 'ab'],
    ['a backslash', 'a\\bc\\\\d', 'abc\\d'],
    ['a line that goes on', 'one \\\ntwo', 'one two'],
    ['a line break in quotes', '"one\ntwo"', 'one\ntwo'],
    ['blanks around', '  a b \t', 'a b'],
    ['a number sign', 'a#b # c', 'a#b # c'],
    ['an equals sign', 'a=b==', 'a=b=='],
    ['nothing', '', ''],
    ['a glob and a tilde', '~/*', '~/*'],
  ])('takes %s as systemd does', (_what, written, expected) => {
    expect(run(`VALUE=${written}\nOTHER=next\n`)).toEqual({ value: expected, other: 'next', args: [] });
    expect(existsSync(marker)).toBe(false);
  });

  it('skips comments and lines that set nothing', () => {
    expect(run('# VALUE=a\n; VALUE=b\n\nexport\n VALUE = c\n2X=d\nVALUE=last').value).toBe('last');
    expect(run('#VALUE=a\nOTHER=b').value).toBe('of the shell');
  });

  it('passes on its arguments', () => {
    expect(run('VALUE=a\n', 'accounts', 'create', '--name', '$HOME "x" `y`').args).toEqual([
      ...['accounts', 'create', '--name', '$HOME "x" `y`'],
    ]);
  });
});
