import { readFileSync } from 'node:fs';

/** Where variables come from: the process's environment, or what a test gives instead. */
export type Source = Readonly<Record<string, string | undefined>>;

/** A bad environment value; `message` is the one line that is printed before exit 1. */
export class ConfigError extends Error {}

/** Variables that hold a secret, be it the password in a URL: each may be kept in a file that `<NAME>_FILE` names instead. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'ENCRYPTION_KEY',
  'NETWORK_APP_SECRET',
  'NETWORK_VERIFY_TOKEN',
  'ADMIN_TOKEN',
  'PARLEY_API_KEY',
] as const;

const SECRETS: ReadonlySet<string> = new Set(SECRET_VARIABLES);

/** The variable that names the file of a secret. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/**
 * The value of a variable without surrounding white space, or null when it is not set. A secret may come from its file.
 *
 * @throws ConfigError when a secret is set twice, or its file cannot be read or is empty
 */
export function readVariable(source: Source, name: string): string | null {
  const value = source[name]?.trim() || null;
  const twin = fileVariable(name);
  const file = SECRETS.has(name) ? source[twin]?.trim() : undefined;
  if (!file) return value;
  if (value !== null) throw new ConfigError(`${name} and ${twin} are both set: keep one of them`);
  const content = contentOf(file, twin).trim();
  if (content === '') throw new ConfigError(`${twin} names an empty file (${file})`);
  return content;
}

function contentOf(file: string, twin: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `${twin} names a file that cannot be read (${file}: ${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

/**
 * The source with every secret as its variable, and none as a file.
 *
 * @throws ConfigError as {@link readVariable}
 */
export function withFileSecrets(source: Source): Source {
  const secrets = SECRET_VARIABLES.flatMap((name) => [
    [name, readVariable(source, name) ?? source[name]],
    [fileVariable(name), undefined],
  ]);
  return { ...source, ...Object.fromEntries(secrets) };
}
