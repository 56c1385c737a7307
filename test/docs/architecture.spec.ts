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
  const [, drawing = ''] = /<!-- floors -->\n```text\n([\s\S]*?)```/.exec(architecture) ?? [];
  const drawn = drawing.trimEnd().split('\n');
  const linter = read('.dependency-cruiser.cjs');
  const namesIn = (list: string): string[] => [...list.matchAll(/'([^']+)'/g)].map(([, name = '']) => name);
  const [, declared = ''] = /const SUBFLOORS = \{([\s\S]*?)\n\};/.exec(linter) ?? [];
  const subfloors = [...declared.matchAll(/^ {2}'?([\w-]+)'?: \[([^\]]*)\]/gm)].map(
    ([, room = '', floors = '']) => [room, namesIn(floors)] as const,
  );

  it('draws the floors that the linter enforces', () => {
    const [, floors = ''] = /const FLOORS = \[([\s\S]*?)\n\];/.exec(linter) ?? [];
    expect(drawn.filter((line) => !line.startsWith(' ')).map((line) => line.split(/\s+/))).toEqual(
      [...floors.matchAll(/\[([^\]]*)\]/g)].map(([, floor = '']) => namesIn(floor)),
    );
  });

  it('draws the floors inside rooms that the linter enforces, each under the line of its room', () => {
    const inside = drawn.flatMap((line, index) => {
      const [, room = '', floors = ''] = /^ {2}([\w-]+): (.*)$/.exec(line) ?? [];
      if (room === '') return [];
      const above = drawn.slice(0, index).findLast((other) => !other.startsWith(' ')) ?? '';
      expect(above.split(/\s+/)).toContain(room);
      return [[room, floors.split(' < ')] as const];
    });
    expect(new Map(inside)).toEqual(new Map(subfloors));
  });

  it.each(subfloors)('draws every subfolder of %s and nothing that does not exist', (room, floors) => {
    const entries = readdirSync(path.join(ROOT, 'src', room), { withFileTypes: true });
    const folders = entries.flatMap((entry) => (entry.isDirectory() && entry.name !== 'dto' ? [entry.name] : []));
    const files = entries.flatMap((entry) => (entry.isFile() ? [entry.name] : []));
    expect(floors).toEqual(expect.arrayContaining(folders));
    expect(floors.filter((floor) => !folders.includes(floor) && !files.includes(`${floor}.ts`))).toEqual([]);
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
