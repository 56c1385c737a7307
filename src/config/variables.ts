import { readFileSync } from 'node:fs';

/** Where variables come from: the process's environment, or a test's replacement for it. */
export type Source = Readonly<Record<string, string | undefined>>;

/** An invalid environment variable; `message` is the one line printed before exit 1. */
export class ConfigError extends Error {}

/** Variables that contain a secret, even if only a password in a URL. `<NAME>_FILE` can name a file to read it from. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'REDIS_URL',
  'ENCRYPTION_KEY',
  'NETWORK_APP_SECRET',
  'NETWORK_VERIFY_TOKEN',
  'ADMIN_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'PARLEY_API_KEY',
] as const;

const SECRETS: ReadonlySet<string> = new Set(SECRET_VARIABLES);

/** The variable that names a secret's file. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/**
 * Reads a variable, or the file of a secret, and trims it; null when it is not set. The secrets of the core are known.
 *
 * @throws ConfigError when a secret is set both ways, or its file is empty or unreadable
 */
export function readVariable(source: Source, name: string, isSecret = SECRETS.has(name)): string | null {
  const value = source[name]?.trim() || null;
  const fileName = fileVariable(name);
  const file = isSecret ? source[fileName]?.trim() : undefined;
  if (!file) return value;
  if (value !== null) throw new ConfigError(`${name} and ${fileName} are both set: keep one of them`);
  const content = contentOf(file, fileName).trim();
  if (content === '') throw new ConfigError(`${fileName} names an empty file (${file})`);
  return content;
}

/** Reads a variable and parses it, or its fallback; null makes it required. */
export type Reader = <T>(name: string, fallback: string | null, parse: (value: string) => T, isSecret?: boolean) => T;

/** A reader that throws a ConfigError with one line: the variable, the expected format and the value. */
export const readerOf =
  (source: Source): Reader =>
  (name, fallback, parse, isSecret) => {
    const value = readVariable(source, name, isSecret) ?? fallback;
    if (value === null) throw new ConfigError(`${name} is required`);
    try {
      return parse(value);
    } catch (error) {
      throw new ConfigError(`${name} ${(error as Error).message}`);
    }
  };

function contentOf(file: string, variable: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError(
      `${variable} names a file that cannot be read (${file}: ${(error as NodeJS.ErrnoException).code})`,
    );
  }
}

/**
 * Replaces every `<NAME>_FILE` in the source with the secret itself.
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
