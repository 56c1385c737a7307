import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ModuleRecords } from './module-records.js';

/** An extension that the tests run with. */
export interface TestedExtension {
  readonly name: string;
  /** Its folder, absolute. */
  readonly folder: string;
}

/** Set by jest.config.js. */
declare const EXTENSIONS: readonly TestedExtension[];

/** The extensions that the tests run with. */
export const TESTED_EXTENSIONS: readonly TestedExtension[] = EXTENSIONS;

/** What the tests must know of each extension. */
export const EXTENSION_RECORDS: readonly ModuleRecords[] = EXTENSIONS.map(({ folder }) =>
  path.join(folder, 'tests/records.ts'),
)
  .filter((file) => existsSync(file))
  .map((file) => (require(file) as { default: ModuleRecords }).default);

/** The fields of {@link ModuleRecords} with entries by name. */
type Tables = {
  [Field in keyof ModuleRecords as Required<ModuleRecords>[Field] extends Readonly<Record<string, infer _>>
    ? Field
    : never]-?: NonNullable<ModuleRecords[Field]>;
};

/** What the core and all extensions say of one matter. @throws Error when two of them say something of the same name */
export function withExtensions<Field extends keyof Tables>(field: Field, core: Tables[Field]): Tables[Field] {
  const said = [core, ...EXTENSION_RECORDS.map((records) => records[field] ?? {})].flatMap((each) =>
    Object.entries(each),
  );
  const twice = said.find(([name], index) => said.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw new Error(`${field} of two modules has ${twice[0]}`);
  return Object.fromEntries(said) as Tables[Field];
}

/** The documents that describe tables: one of the core, and the README.md of each extension. */
export const pagesWith = (corePage: string): string[] => [
  corePage,
  ...EXTENSIONS.map(({ folder }) => path.join(folder, 'README.md')).filter((file) => existsSync(file)),
];
