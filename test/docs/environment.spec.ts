import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { loadEnvironment } from '../../src/config/environment.js';

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
/** OpenTelemetry reads its own variables; the file shows two of them. */
const ours = names.filter((name) => !name.startsWith('OTEL_'));

/** Variables of the sandbox and the command line, which are not part of the configuration. */
const TOOL_VARIABLES = ['DATA_DIR', 'PARLEY_API_KEY', 'PARLEY_API_KEY_FILE', 'PARLEY_BASE_URL', 'PARLEY_SIMULATOR_URL'];

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
    loadEnvironment(source);
    expect([...ours].sort()).toEqual([...read, ...TOOL_VARIABLES].sort());
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
    const explicit = loadEnvironment({
      ...Object.fromEntries(shown.map(({ name, value }) => [name, value])),
      ...REQUIRED,
    });
    expect(explicit).toEqual(loadEnvironment(REQUIRED));
  });

  it('omits no default', () => {
    const hidden = documented.filter(
      ({ name, value }) => value === '' && !(name in REQUIRED) && !name.startsWith('OTEL_'),
    );
    // These default to empty: no token, no exception from the guard on outgoing requests.
    expect(hidden.map(({ name }) => name).sort()).toEqual(['ADMIN_TOKEN', 'EGRESS_ALLOW']);
    expect(loadEnvironment(REQUIRED)).toMatchObject({ adminToken: null, egressAllow: [], redisUrl: null });
  });
});
