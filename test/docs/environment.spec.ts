import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadEnvironment } from '../../src/config/environment.js';
import { variableNamesOf } from '../../src/config/settings.js';
import { fileVariable } from '../../src/config/variables.js';
import { MANIFEST } from '../../src/rooms.js';

const ROOT = path.resolve(__dirname, '../..');

interface DocumentedVariable {
  readonly name: string;
  readonly value: string;
  /** Whether the comment above calls the value an example rather than the default. */
  readonly example: boolean;
}

const documented: DocumentedVariable[] = [];
let comment = '';
for (const line of readFileSync(path.join(ROOT, '.env.example'), 'utf8').split('\n')) {
  const [, name, value = ''] = /^#?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
  if (name !== undefined) documented.push({ name, value, example: /example:?$/i.test(comment) });
  else comment = line;
}
const names = documented.map(({ name }) => name);

/** What docker-compose.yml asks for and Parley itself does not read. */
const OF_COMPOSE = ['PARLEY_DOMAIN', 'POSTGRES_PASSWORD'];

/** Those of a container are given to it: where it listens, what it does, secrets from mounted files, the sandbox's. */
const NOT_IN_CONTAINERS = [
  ...OF_COMPOSE,
  ...['HOST', 'METRICS_HOST', 'PORT'],
  ...['DATA_DIR', 'PARLEY_API_KEY', 'PARLEY_BASE_URL', 'PARLEY_SIMULATOR_URL'],
];

/** What the sandbox and the command line read beside the configuration. */
const OF_TOOLS = ['DATA_DIR', 'PARLEY_API_KEY', 'PARLEY_API_KEY_FILE', 'PARLEY_BASE_URL', 'PARLEY_SIMULATOR_URL'];

/** Variables without a default. */
const REQUIRED = {
  DATABASE_URL: 'postgres://127.0.0.1/parley',
  NETWORK_APP_ID: '1',
  NETWORK_APP_SECRET: 'secret',
  NETWORK_VERIFY_TOKEN: 'token',
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
};

describe('.env.example', () => {
  it('lists each variable once', () => {
    expect(names).toEqual([...new Set(names)]);
  });

  it('lists exactly the variables that the configuration and the tools read', () => {
    const read = new Set<string>();
    const source = new Proxy<Record<string, string | undefined>>(REQUIRED, {
      get(target, name) {
        if (typeof name !== 'string') return undefined;
        read.add(name);
        return target[name];
      },
    });
    loadEnvironment(MANIFEST, source);
    // Extensions document theirs themselves.
    for (const name of MANIFEST.settings.flatMap(variableNamesOf))
      for (const own of [name, fileVariable(name)]) read.delete(own);
    expect([...names].sort()).toEqual([...read, ...OF_TOOLS, ...OF_COMPOSE].sort());
  });

  it('lists every variable that any source file names', () => {
    const named = ['src', 'simulator', 'sandbox']
      .flatMap((folder) =>
        readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
          path.join(folder, file),
        ),
      )
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .flatMap((file) => [
        ...readFileSync(path.join(ROOT, file), 'utf8').matchAll(/\b(?:env|source)(?:\.|\[')([A-Z][A-Z0-9_]+)/g),
      ])
      .map(([, name]) => name);
    expect(named.filter((name) => name !== undefined && !names.includes(name))).toEqual([]);
  });

  it('shows the defaults', () => {
    const shown = documented.filter(({ value, example }) => value !== '' && !example);
    expect(shown.length).toBeGreaterThan(10);
    const explicit = loadEnvironment(MANIFEST, {
      ...Object.fromEntries(shown.map(({ name, value }) => [name, value])),
      ...REQUIRED,
    });
    expect(explicit).toEqual(loadEnvironment(MANIFEST, REQUIRED));
  });

  it('omits no default', () => {
    const hidden = documented.filter(
      ({ name, value }) => value === '' && !(name in REQUIRED) && !OF_COMPOSE.includes(name),
    );
    // These default to empty: no token, no exception from the guard on outgoing requests, no address known to Meta.
    expect(hidden.map(({ name }) => name).sort()).toEqual(['ADMIN_TOKEN', 'EGRESS_ALLOW', 'PUBLIC_URL']);
    expect(loadEnvironment(MANIFEST, REQUIRED)).toMatchObject({ adminToken: null, egressAllow: [], redisUrl: null });
  });
});

describe('docker-compose.yml', () => {
  const compose = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
  const [, block = ''] = /^ {2}environment: &environment\n((?: {4}.*\n)+)/m.exec(compose) ?? [];
  const passed = new Map(
    [...block.matchAll(/^ {4}([A-Z_]+):(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

  it('passes on every variable that an operator may set', () => {
    const settable = names.filter((name) => !name.endsWith('_FILE') && !NOT_IN_CONTAINERS.includes(name));
    expect([...passed.keys(), 'PARLEY_ROLES'].sort()).toEqual(settable.sort());
    expect(compose).toContain('PARLEY_ROLES: api }');
    expect(compose).toContain('PARLEY_ROLES: worker }');
  });

  it('has no secret of its own: it asks for each', () => {
    for (const name of ['ENCRYPTION_KEY', 'NETWORK_APP_SECRET', 'NETWORK_VERIFY_TOKEN']) {
      expect(passed.get(name)).toMatch(new RegExp(`^ \\$\\{${name}:\\?.+\\}$`));
    }
    const passwords = [...compose.matchAll(/\$\{POSTGRES_PASSWORD(:?.)/g)].map(([, operator]) => operator);
    expect(passwords).toEqual([':?', ':?']);
  });
});
