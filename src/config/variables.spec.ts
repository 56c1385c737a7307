import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadEnvironment } from './environment.js';
import { ConfigError, fileVariable, readVariable, SECRET_VARIABLES, withFileSecrets } from './variables.js';

const KEY = Buffer.alloc(32, 3).toString('base64');
const PLAIN = { NETWORK_APP_ID: '1' };
const SECRETS = {
  DATABASE_URL: 'postgres://parley:of-the-pooler@127.0.0.1/parley',
  DATABASE_DIRECT_URL: 'postgres://parley:of-the-database@127.0.0.1/parley',
  REDIS_URL: 'redis://:of-redis@127.0.0.1',
  ENCRYPTION_KEY: `k2:${KEY}`,
  NETWORK_APP_SECRET: 'app secret',
  NETWORK_VERIFY_TOKEN: 'verify token',
  ADMIN_TOKEN: 'the token of the operators',
  OTEL_EXPORTER_OTLP_HEADERS: 'x-key=of-traces',
  PARLEY_API_KEY: 'pk_live_customer',
} satisfies Record<(typeof SECRET_VARIABLES)[number], string>;

describe('a secret', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(path.join(tmpdir(), 'parley-secrets-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const fileOf = (name: string, content: string): string => {
    const file = path.join(directory, name);
    writeFileSync(file, content);
    return file;
  };
  const files = (): Record<string, string> =>
    Object.fromEntries(
      Object.entries(SECRETS).map(([name, value]) => [fileVariable(name), fileOf(name, `${value}\n`)]),
    );
  const failureOf = (read: () => unknown): string => {
    try {
      read();
    } catch (error) {
      if (error instanceof ConfigError) return error.message;
      throw error;
    }
    throw new Error('nothing was thrown');
  };

  it('may be read from a file instead, without its trailing newline', () => {
    expect(loadEnvironment({ queues: [], settings: [] }, { ...PLAIN, ...files() })).toEqual(
      loadEnvironment({ queues: [], settings: [] }, { ...PLAIN, ...SECRETS }),
    );
  });

  it('may be read from a file in a sandbox too', () => {
    expect(withFileSecrets({ ...PLAIN, ...files() })).toMatchObject({ ...PLAIN, ...SECRETS });
    expect(withFileSecrets(withFileSecrets(files()))).toMatchObject(SECRETS);
  });

  it.each(SECRET_VARIABLES)('is rejected when it is set both directly and by file: %s', (name) => {
    const source = { ...PLAIN, ...files(), [name]: SECRETS[name] };
    expect(failureOf(() => readVariable(source, name))).toBe(`${name} and ${name}_FILE are both set: keep one of them`);
  });

  it('of the operators has at least 24 characters, and is not repeated in the error', () => {
    expect(
      failureOf(() =>
        loadEnvironment({ queues: [], settings: [] }, { ...PLAIN, ...SECRETS, ADMIN_TOKEN: 'x'.repeat(23) }),
      ),
    ).toBe('ADMIN_TOKEN must have at least 24 characters (got 23)');
  });

  it('counts as unset when its variables are blank', () => {
    expect(readVariable({ ADMIN_TOKEN: ' ', ADMIN_TOKEN_FILE: ' ' }, 'ADMIN_TOKEN')).toBeNull();
    expect(readVariable({ ADMIN_TOKEN: 'a', ADMIN_TOKEN_FILE: '' }, 'ADMIN_TOKEN')).toBe('a');
  });

  it.each(['', '\n', ' \r\n\t'])('is rejected when its file is empty (%j)', (content) => {
    const file = fileOf('empty', content);
    expect(failureOf(() => readVariable({ ENCRYPTION_KEY_FILE: file }, 'ENCRYPTION_KEY'))).toBe(
      `ENCRYPTION_KEY_FILE names an empty file (${file})`,
    );
  });

  it('is rejected when its file cannot be read', () => {
    const missing = path.join(directory, 'missing');
    expect(failureOf(() => readVariable({ ENCRYPTION_KEY_FILE: missing }, 'ENCRYPTION_KEY'))).toBe(
      `ENCRYPTION_KEY_FILE names a file that cannot be read (${missing}: ENOENT)`,
    );
    expect(failureOf(() => readVariable({ ENCRYPTION_KEY_FILE: directory }, 'ENCRYPTION_KEY'))).toBe(
      `ENCRYPTION_KEY_FILE names a file that cannot be read (${directory}: EISDIR)`,
    );
  });

  it('is validated like the variable, and errors do not repeat its value', () => {
    const message = failureOf(() =>
      loadEnvironment(
        { queues: [], settings: [] },
        { ...PLAIN, ...files(), ENCRYPTION_KEY_FILE: fileOf('short', 'much too short') },
      ),
    );
    expect(message).toMatch(/^ENCRYPTION_KEY must be 32 bytes/);
    expect(message).not.toContain('much');
  });

  it('keeps inner white space', () => {
    expect(readVariable({ ADMIN_TOKEN_FILE: fileOf('spaced', '  two words \r\n') }, 'ADMIN_TOKEN')).toBe('two words');
  });

  it('can come from a file; other variables cannot', () => {
    expect(readVariable({ PORT_FILE: fileOf('port', '80') }, 'PORT')).toBeNull();
  });
});
