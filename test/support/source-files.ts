import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TESTED_EXTENSIONS } from './extension-records.js';

const SOURCE = path.resolve(__dirname, '../../src');

/** A file of the product. */
export interface SourceFile {
  /** Its path below src/, or below the folder of extensions. */
  readonly file: string;
  readonly text: string;
}

/** The files of src/ and of all extensions, without tests and migrations. */
export const sourceFiles = (): SourceFile[] => [
  ...filesIn(SOURCE),
  ...TESTED_EXTENSIONS.flatMap(({ name, folder }) =>
    filesIn(folder)
      .filter(({ file }) => !/^(?:tests|migrations)\b/.test(file))
      .map(({ file, text }) => ({ file: path.join(name, file), text })),
  ),
];

const filesIn = (folder: string): SourceFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => ({ file, text: readFileSync(path.join(folder, file), 'utf8') }));
