import type { Reader } from './variables.js';

/** One environment variable of a room: its name, its default (null makes it required), and how it is parsed. */
export interface Setting<Value> {
  readonly variable: string;
  readonly fallback: string | null;
  readonly parse: (value: string) => Value;
  /** Whether `<variable>_FILE` may name a file to read it from. */
  readonly secret: boolean;
}

type SettingsShape = Readonly<Record<string, Setting<unknown>>>;

type ValuesOf<Shape extends SettingsShape> = {
  readonly [Name in keyof Shape]: Shape[Name] extends Setting<infer Value> ? Value : never;
};

/** The settings of a room: the token by which they are injected, and where their values come from. */
export interface SettingsClass {
  new (values: never): object;
  readonly shape: SettingsShape;
}

/**
 * Declares an environment variable.
 *
 * @param fallback its default; null makes it required
 * @param parse throws an Error whose message continues the sentence `<variable> …`, as those of environment-values.ts do
 */
export const setting = <Value>(
  variable: string,
  fallback: string | null,
  parse: (value: string) => Value,
): Setting<Value> => ({ variable, fallback, parse, secret: false });

/** As {@link setting}, for a secret: `<variable>_FILE` may name a file to read it from. */
export const secretSetting = <Value>(
  variable: string,
  fallback: string | null,
  parse: (value: string) => Value,
): Setting<Value> => ({ variable, fallback, parse, secret: true });

/**
 * The base of a room's settings. The room lists the class in its manifest, and its services have it injected:
 * `class SurveySettings extends Settings({ daysOpen: setting('SURVEYS_DAYS_OPEN', '30', parseNumber(1, 365)) }) {}`
 */
export function Settings<const Shape extends SettingsShape>(
  shape: Shape,
): { new (values: ValuesOf<Shape>): ValuesOf<Shape>; readonly shape: Shape } {
  class DeclaredSettings {
    static readonly shape = shape;

    constructor(values: ValuesOf<Shape>) {
      Object.assign(this, values);
    }
  }
  return DeclaredSettings as never;
}

/** The names of the variables, without those of secrets' files. */
export const variableNamesOf = ({ shape }: SettingsClass): string[] =>
  Object.values(shape).map(({ variable }) => variable);

/** @throws ConfigError as the reader */
export function readSettings(settings: SettingsClass, read: Reader): object {
  const values = Object.entries(settings.shape).map(([name, { variable, fallback, parse, secret }]) => [
    name,
    read(variable, fallback, parse, secret),
  ]);
  return new settings(Object.fromEntries(values) as never);
}
