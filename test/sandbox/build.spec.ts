import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Program, ROOT, temporaryDirectory } from './program.js';

describe('building', () => {
  let checkout: string;

  beforeEach(async () => {
    checkout = temporaryDirectory();
    for (const name of ['scripts', '.swcrc', 'package.json', 'package-lock.json']) {
      cpSync(path.join(ROOT, name), path.join(checkout, name), { recursive: true });
    }
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
    mkdirSync(path.join(checkout, 'src'));
    await source('answer', 'export const answer: number = 1;');
    await source('answer.spec', 'this is no TypeScript at all');
  });

  // The checkouts of this test have no extensions.
  beforeAll(() => {
    delete process.env.EXTENSIONS_DIR;
  });

  afterEach(async () => {
    await Program.killAll();
    rmSync(checkout, { recursive: true, force: true });
  });

  const source = (name: string, text: string) => writeFile(path.join(checkout, 'src', `${name}.ts`), text);
  const build = async () => {
    const script = pathToFileURL(path.join(checkout, 'scripts', 'build.mjs')).href;
    const program = Program.module(`import { build } from '${script}'; console.log(await build({ use: true }));`);
    expect(await program.exit).toBe(0);
    return program.stdout.trim();
  };
  const failure = async () => {
    const script = pathToFileURL(path.join(checkout, 'scripts', 'build.mjs')).href;
    const program = Program.module(`
      import { build } from '${script}';
      await build().catch((error) => { console.error(error.message); process.exit(1); });`);
    expect(await program.exit).toBe(1);
    return program.stderr;
  };
  const built = () => readFile(path.join(checkout, 'dist', 'src', 'answer.js'), 'utf8');

  it('compiles only what the program needs, and nothing when nothing changed', async () => {
    const directory = await build();
    expect(await built()).toContain('answer = 1');
    expect(existsSync(path.join(checkout, 'dist', 'src', 'answer.spec.js'))).toBe(false);
    expect(existsSync(path.join(checkout, 'dist', 'scripts', 'pg.mjs'))).toBe(true);
    const before = lstatSync(path.join(directory, 'src', 'answer.js')).ino;
    expect(await build()).toBe(directory);
    expect(lstatSync(path.join(directory, 'src', 'answer.js')).ino).toBe(before);
  });

  it('does not touch the build of a running instance', async () => {
    const first = await build();
    await source('answer', 'export const answer: number = 2;');
    const second = await build();
    expect(second).not.toBe(first);
    expect(await built()).toContain('answer = 2');
    expect(await readFile(path.join(first, 'src', 'answer.js'), 'utf8')).toContain('answer = 1');
  });

  it('is safe when several builds run concurrently', async () => {
    const directories = await Promise.all([build(), build(), build(), build()]);
    expect(new Set(directories).size).toBe(1);
    expect(await built()).toContain('answer = 1');
    expect(readdirSync(checkout).filter((name) => /^dist-(?:tmp|link)/.test(name))).toEqual([]);
  });

  it('replaces a plain dist directory of another tool', async () => {
    mkdirSync(path.join(checkout, 'dist', 'old'), { recursive: true });
    const directory = await build();
    expect(readlinkSync(path.join(checkout, 'dist'))).toBe(path.basename(directory));
  });

  it('keeps no more than a few old builds', async () => {
    for (let version = 1; version <= 6; version++) {
      await source('answer', `export const answer: number = ${version};`);
      await build();
    }
    expect(readdirSync(checkout).filter((name) => name.startsWith('dist-'))).toHaveLength(4);
    expect(await built()).toContain('answer = 6');
  });

  it('runs other work in parallel, but only when there is something to compile', async () => {
    const script = pathToFileURL(path.join(checkout, 'scripts', 'build.mjs')).href;
    const alongside = async () => {
      const program = Program.module(`
        import { build } from '${script}';
        await build({ alongside: async () => console.log('working') });`);
      expect(await program.exit).toBe(0);
      return program.stdout;
    };
    expect(await alongside()).toBe('working\n');
    expect(await alongside()).toBe('');
  });

  it('reports a source that does not parse, and keeps the last good build', async () => {
    await build();
    await source('answer', 'export const = ;');
    expect(await failure()).toContain('answer.ts');
    expect(await built()).toContain('answer = 1');
  });

  it('bundles large libraries into few files, and rebundles them only when they change', async () => {
    await source('answer', `import { firstValueFrom, of } from 'rxjs';\nexport const answer = firstValueFrom(of(1));`);
    const first = await build();
    expect(await built()).toContain(`from '../libraries/rxjs.js'`);
    const program = Program.module(`
      import { answer } from '${pathToFileURL(path.join(first, 'src', 'answer.js')).href}';
      console.log(await answer);`);
    expect(await program.exit).toBe(0);
    expect(program.stdout).toBe('1\n');

    const marker = (directory: string) => path.join(directory, 'libraries', 'marker');
    await writeFile(marker(first), '');
    await source('answer', `import { firstValueFrom, of } from 'rxjs';\nexport const answer = firstValueFrom(of(2));`);
    const second = await build();
    expect(existsSync(marker(second))).toBe(true);
    await source('answer', `import { of } from 'rxjs';\nexport const answer = of(3);`);
    expect(existsSync(marker(await build()))).toBe(false);
  });

  it.each([`import * as rxjs from 'rxjs';`, `const rxjs = await import('rxjs');`])(
    'requires named imports from a bundled library: %s',
    async (statement) => {
      await source('answer', `${statement}\nexport const answer = rxjs;`);
      expect(await failure()).toMatch(/^src\/answer\.ts: .*'rxjs'.*: import from a bundled library by name/);
    },
  );
});

describe('the build of this checkout', () => {
  afterEach(() => Program.killAll());

  it('loads no bundled library twice', async () => {
    const program = Program.module(`
      import { createRequire } from 'node:module';
      import { build } from './scripts/build.mjs';
      import { BUNDLED } from './scripts/libraries.mjs';
      const dist = await build();
      await import(dist + '/sandbox/service.js');
      const files = Object.keys(createRequire(import.meta.url).cache);
      const again = (library) => files.some((file) => file.includes('/node_modules/' + library + '/'));
      console.log(JSON.stringify({ again: BUNDLED.filter(again), others: ['pg', 'pino'].filter(again) }));`);
    expect(await program.exit).toBe(0);
    // The others prove that loading from node_modules is detected.
    expect(JSON.parse(program.stdout)).toEqual({ again: [], others: ['pg', 'pino'] });
  });
});
