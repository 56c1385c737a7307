import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { minConnections } from '../../src/config/connection-split.js';
import { Manifest } from '../../src/manifest/manifest.js';
import { ROOMS } from '../../src/rooms.js';
import { run } from '../support/commands.js';
import { redisFound, TestRedis } from '../support/redis.js';
import { World } from '../support/world.js';

const ROOT = path.resolve(__dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const page = read('docs/operations.md');

/** Paths of all TypeScript files in a folder of the checkout, its own folders included. */
const filesUnder = (folder: string): string[] =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);

/** Names of the packages that a source imports at run time. */
const packagesImportedBy = (source: string): string[] =>
  [
    ...source.matchAll(
      /^(?:import '|(?:import|export|\}) (?!type\b).*?\bfrom ')([@\w][^']*)';$|\bimport\('([@\w][^']*)'\)/gm,
    ),
  ]
    .map(([, fixed, dynamic]) => fixed ?? dynamic ?? '')
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
    .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));

/** The cells of the table under a heading, row by row, without backquotes. */
const table = (heading: string): string[][] => {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (.*) \|$/gm)].map(([, row = '']) => row);
  return rows.slice(2).map((row) => row.split(' | ').map((cell) => cell.replace(/^`(.*)`$/, '$1')));
};

/** Names of the metrics that a process serves, Node's own left out. */
const served = async (env: Readonly<Record<string, string>> = {}): Promise<string[]> => {
  const world = await World.start({ env: { METRICS_PORT: '0', ...env } });
  try {
    const text = await (await fetch(`${world.parley.operationsUrl}/metrics`)).text();
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name);
    return names.filter((name) => !/^(?:process|nodejs)_/.test(name));
  } finally {
    await world.stop();
  }
};

/** Variables without a default, whose value in .env.example is an example. */
const EXAMPLES = [
  ...['DATABASE_URL', 'DATABASE_DIRECT_URL', 'REDIS_URL', 'METRICS_PORT', 'CORS_ORIGINS', 'PARLEY_DOMAIN'],
  ...['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_HEADERS'],
  ...['OTEL_RESOURCE_ATTRIBUTES', 'PARLEY_BASE_URL', 'PARLEY_API_KEY', 'PARLEY_SIMULATOR_URL'],
];

describe('docs/operations.md', () => {
  it('lists every variable of .env.example with its default', () => {
    const listed = new Map(
      table('Every variable').map(([name = '', value = '']) => [name, value === '–' ? '' : value]),
    );
    const documented = [...read('.env.example').matchAll(/^#([A-Z][A-Z0-9_]*)=(.*)$/gm)]
      .map(([, name = '', value = '']) => ({ name, value }))
      .filter(({ name }) => !name.endsWith('_FILE'));
    expect([...listed.keys()].sort()).toEqual(documented.map(({ name }) => name).sort());
    // A value there may be an example; test/docs/environment.spec.ts proves the defaults among them.
    const differing = documented.filter(({ name, value }) => listed.get(name) !== value);
    expect(differing.filter(({ name }) => listed.get(name) !== '')).toEqual([]);
    expect(differing.map(({ name }) => name).filter((name) => !EXAMPLES.includes(name))).toEqual([]);
  });

  it('lists every metric that a process serves', async () => {
    const redis = redisFound ? await TestRedis.start() : null;
    const serving = served(redis === null ? {} : { REDIS_URL: redis.url });
    const names = await serving.finally(() => redis?.stop());
    const listed = table('Every metric').map(([name = '']) => name);
    // Without Redis, what is served of it is not known.
    const known = redis === null ? listed.filter((name) => !/redis|fallbacks/.test(name)) : listed;
    expect(names.sort()).toEqual(known.sort());
  });

  it('names no other metric', () => {
    const listed = table('Every metric').map(([name = '']) => name);
    const named = [...page.matchAll(/\bparley_[a-z_]+/g)].map(([name]) => name);
    expect(named.filter((name) => !listed.includes(name))).toEqual([]);
  });

  it('says how many connections a process needs', () => {
    const { length } = new Manifest(ROOMS).queues;
    const needs = [
      { worker: true, queuesInPostgres: length },
      { worker: false, queuesInPostgres: length },
      { worker: true, queuesInPostgres: 0 },
      { worker: false, queuesInPostgres: 0 },
    ].map(minConnections);
    const listed = [...page.matchAll(/^\| (?:both roles|`api`)[^|]* \| (\d+) \|$/gm)].map(([, number]) =>
      Number(number),
    );
    expect(listed).toEqual(needs);
  });

  it('quotes error messages as Parley writes them', () => {
    const quoted = ['the database schema is older than this release', '", which is not configured'];
    const sources = filesUnder('src').map(read).join('\n');
    expect(quoted.filter((text) => !page.includes(text) || !sources.includes(text))).toEqual([]);
  });
});

describe('pages for operators', () => {
  const pages = ['operations', 'secrets', 'retention', 'data-protection'].map((name) => ({
    name,
    text: read(`docs/${name}.md`),
  }));

  it.each(pages)('runs only commands that the command line has: $name', ({ text }) => {
    const words = [...text.matchAll(/\bparley ([a-z]+)(?: ([a-z]+))?/g)]
      .filter(({ index }) => text[index - 1] === '`' || /(?:^|[\n (])$/.test(text.slice(0, index)))
      .map(([, noun = '', verb = '']) => [noun, verb] as const);
    const sources = filesUnder('src/cli').map(read).join('\n');
    const has = (word: string) => new RegExp(`command\\('${word}[' ]`).test(sources);
    expect(words.length).toBeGreaterThan(0);
    expect(
      words.filter(([noun, verb]) => !has(noun) || (verb !== '' && !has(verb))).map((pair) => pair.join(' ')),
    ).toEqual([]);
  });

  it.each(pages)('has shell commands that a shell can parse: $name', ({ text }) => {
    const blocks = [...text.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, indent = '', block = '']) =>
      block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    );
    expect(blocks.length).toBeGreaterThan(0);
    const faults = blocks.map((block) => run('bash', ['-n'], { input: block }).stderr);
    expect(faults.filter((fault) => fault !== '')).toEqual([]);
  });
});

describe('the container image', () => {
  const dockerfile = read('Dockerfile');

  it('holds every package that its programs import', () => {
    const manifest = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const removed = [...dockerfile.matchAll(/\bdependencies\.([@\w/-]+)/g)].map(([, name = '']) => name);
    expect(removed.filter((name) => !(name in manifest.dependencies))).toEqual([]);
    const kept = Object.keys(manifest.dependencies).filter((name) => !removed.includes(name));
    const files = ['src', 'simulator', 'migrations'].flatMap(filesUnder).filter((file) => !file.endsWith('.spec.ts'));
    const imported = new Set(files.flatMap((file) => packagesImportedBy(read(file))));
    expect([...imported]).toContain('fastify');
    expect([...imported].filter((name) => !kept.includes(name))).toEqual([]);
  });

  it('starts the service with the flags of the systemd unit', () => {
    const [, list = ''] = /^CMD \["node", (.*), "dist\/src\/main\.js"\]$/m.exec(dockerfile) ?? [];
    const [, flags = ''] = /^ExecStart=\/usr\/bin\/node (.*) dist\//m.exec(read('examples/parley.service')) ?? [];
    const [, options = ''] = /\bNODE_OPTIONS=(.*)$/m.exec(dockerfile) ?? [];
    expect([options, ...(JSON.parse(`[${list}]`) as string[])]).toEqual(flags.split(' '));
  });
});

describe('examples/parley.service', () => {
  it('starts the program of the build, and waits longer for its end than it takes', () => {
    const unit = read('examples/parley.service');
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/node .*dist\/src\/main\.js$/m);
    expect(existsSync(path.join(ROOT, 'src/main.ts'))).toBe(true);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(29);
  });
});
