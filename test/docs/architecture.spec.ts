import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const architecture = read('docs/architecture.md');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync(path.join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe('docs/architecture.md', () => {
  it('lists the floors that the linter enforces', () => {
    const [, drawn = ''] = /<!-- floors -->\n```text\n([\s\S]*?)```/.exec(architecture) ?? [];
    const [, declared = ''] = /const FLOORS = \[([\s\S]*?)\n\];/.exec(read('.dependency-cruiser.cjs')) ?? [];
    expect(
      drawn
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/)),
    ).toEqual(
      [...declared.matchAll(/\[([^\]]*)\]/g)].map(([, floor = '']) =>
        [...floor.matchAll(/'([^']+)'/g)].map(([, room]) => room),
      ),
    );
  });

  it('describes every room and no other', () => {
    const rooms = readdirSync(path.join(ROOT, 'src'), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
    const [, table = ''] = architecture.split('| Room | Holds |');
    const named = [...(table.split('\n\n')[0] ?? '').matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, room]) => room),
    );
    expect(named.sort()).toEqual(rooms.sort());
  });

  it('names only classes that exist', () => {
    const declared = new Set(
      ['src', 'simulator', 'test']
        .flatMap((folder) =>
          readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
            .filter((file) => file.endsWith('.ts'))
            .map((file) => `${folder}/${file}`),
        )
        .flatMap((file) => [...read(file).matchAll(/^export (?:abstract )?(?:class|interface) (\w+)/gm)])
        .map(([, name]) => name),
    );
    // `Idempotency-Key` and the like are headers.
    const named = [...architecture.matchAll(/`([A-Z]\w*[a-z]\w*)(?![\w-])[^`\n]*`/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !declared.has(name))).toEqual([]);
  });
});

describe.each(PAGES)('%s', (page) => {
  const text = read(page);

  it('links only to existing targets', () => {
    const targets = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
    const broken = targets.filter(
      (target) => !/^https?:/.test(target) && !existsSync(path.join(ROOT, path.dirname(page), target)),
    );
    expect(broken).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm run (?:-s |--silent )?([\w:]+)/g)].map(([, script = '']) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it('names only files that exist', () => {
    const named = [
      ...text.matchAll(/`((?:src|simulator|sandbox|test|migrations|scripts|docs|bench|examples)\/[\w./-]+\.\w+)`/g),
    ].map(([, file = '']) => file);
    expect(named.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  });
});
