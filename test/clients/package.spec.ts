import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT, temporaryDirectory } from '../sandbox/program.js';
import { bodiesOfPage, describedBodies } from './documented-bodies.js';

/** Runs a program to its end, within limits. */
const run = (program: string, args: string[], options: { cwd: string }) =>
  promisify(execFile)(program, args, { ...options, timeout: 180_000, killSignal: 'SIGKILL' });
const PACKAGE = path.join(ROOT, 'clients/typescript');
const TSC = path.join(ROOT, 'node_modules/typescript/bin/tsc');

/** Compiles with tsc; its complaints as the test's failure. */
async function compile(args: string[], cwd: string): Promise<void> {
  const failure = await run(process.execPath, [TSC, ...args], { cwd }).catch((error: { stdout: string }) => error);
  expect(failure.stdout).toBe('');
}

/** The TypeScript blocks of a page, each as a module of its own in which `prelude` is declared. */
function samplesOf(page: string): string[] {
  const text = readFileSync(path.join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block = '']) => {
    const imports = [...block.matchAll(/^import .*;$/gm)].map(([line]) => line);
    const needed = imports.some((line) => /\bParley\b/.test(line)) ? [] : ["import { Parley } from 'parley-client';"];
    const code = block.replace(/^import .*;$/gm, '');
    return [
      ...needed,
      ...imports,
      'declare const parley: Parley;',
      'declare const campaignId: string, baseUrl: string, apiKey: string, secret: string;',
      `export async function sample() {\n${code}\n}`,
    ].join('\n');
  });
}

const REJECTED = `
import { Parley, verifyWebhook } from 'parley-client';
declare const parley: Parley;
export async function rejected() {
  // @ts-expect-error A misspelled field.
  await parley.contacts.create({ phone_number: '4915112345678', first_name: 'Ada', firstname: 'Ada' });
  // @ts-expect-error A missing field.
  await parley.contacts.create({ first_name: 'Ada' });
  // @ts-expect-error A misspelled field further down.
  await parley.templates.create({ name: 'a', category: 'UTILITY', body: { text: 'Hello', example: {} } });
  // @ts-expect-error An unknown value.
  await parley.campaigns.list({ status: 'finished' });
  // @ts-expect-error An unknown query.
  await parley.contacts.list({ query: 'ada' });
  // @ts-expect-error A path parameter is missing.
  await parley.campaigns.send();
  // @ts-expect-error Only a POST has a key.
  await parley.contacts.list({}, { idempotencyKey: 'key' });
  // @ts-expect-error The answer has no such field.
  (await parley.contacts.get('id')).contact.firstname;
  const { event } = verifyWebhook({ body: '', headers: {}, secret: '' });
  if (event.event === 'message.failed') event.message.error_code satisfies unknown;
  // @ts-expect-error Only a failed message has one.
  if (event.event === 'message.read') event.message.error_code;
  // @ts-expect-error There is no such event.
  if (event.event === 'message.lost') return;
}`;

describe('the package parley-client', () => {
  const home = temporaryDirectory();
  const built = path.join(home, 'node_modules/parley-client');

  beforeAll(async () => {
    mkdirSync(built, { recursive: true });
    for (const name of ['package.json', 'README.md']) cpSync(path.join(PACKAGE, name), path.join(built, name));
    symlinkSync(path.join(ROOT, 'node_modules/@types'), path.join(home, 'node_modules/@types'));
    symlinkSync(path.join(ROOT, 'node_modules/undici-types'), path.join(home, 'node_modules/undici-types'));
    await compile(['-p', '.', '--outDir', path.join(built, 'dist')], PACKAGE);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('holds its code, its types and its README, and needs nothing else', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: built });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const names = files.map((file) => file.path);
    expect(names).toEqual(expect.arrayContaining(['README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts']));
    expect(names.filter((name) => !/^(?:README\.md|package\.json|dist\/.*\.(?:js|d\.ts))$/.test(name))).toEqual([]);
    const manifest = JSON.parse(readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'));
    const { version, engines } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ version, engines });
    expect(manifest).not.toHaveProperty('dependencies');
    const source = `import { Parley } from 'parley-client';
      console.log(typeof new Parley({ baseUrl: 'http://localhost', apiKey: 'key' }).contacts.list);`;
    const program = await run(process.execPath, ['--input-type=module', '-e', source], { cwd: home });
    expect(program.stdout).toBe('function\n');
  });

  it('accepts every documented body and sample, and no others', async () => {
    const bodies = [
      ...['README.md', 'docs/webhooks.md', 'docs/simulator.md'].flatMap(bodiesOfPage),
      ...describedBodies(),
    ];
    // A parser that finds nothing would compile, too.
    expect(bodies.length).toBeGreaterThan(35);
    const checks = bodies.map(
      ({ place, operation, expression }) => `// ${place}\n(${expression}) satisfies BodyOf<'${operation}'>;`,
    );
    const files: Record<string, string> = {
      'bodies.ts': `import type { BodyOf } from 'parley-client';\n${checks.join('\n')}`,
      'rejected.ts': REJECTED,
    };
    for (const page of ['README.md', 'clients/typescript/README.md']) {
      const samples = samplesOf(page);
      expect(samples.length).toBeGreaterThan(0);
      samples.forEach((sample, index) => {
        files[`${path.dirname(page).replace(/\W/g, '')}-${index}.ts`] = sample;
      });
    }
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(home, name), text);
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2023', strict: true, exactOptionalPropertyTypes: false, noEmit: true },
      ...{ lib: ['es2024'], types: ['node'], noUncheckedIndexedAccess: true },
    };
    writeFileSync(path.join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    writeFileSync(path.join(home, 'package.json'), '{ "type": "module" }');
    await compile(['-p', '.'], home);
  });
});
