import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../sandbox/program.js';
import { type Ended, run } from '../support/commands.js';
import { inherited } from '../support/inherited.js';

/** The extension that the tests build. */
const NOTES = path.join(ROOT, 'test/extensions/notes');

/** A temporary folder with sources of extensions and builds of Parley that contain them. */
export class BuiltExtension {
  readonly directory = mkdtempSync(path.join(tmpdir(), 'parley-extensions-'));

  constructor() {
    // What an image has: the packages, and `type: module`.
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(this.directory, 'node_modules'));
    writeFileSync(path.join(this.directory, 'package.json'), '{ "type": "module" }');
  }

  /** Copies the extension to `folder`, as `name`. @returns the folder */
  copy(folder: string, name = 'notes'): string {
    const target = path.join(this.directory, folder);
    cpSync(NOTES, target, { recursive: true });
    if (name !== 'notes') cpSync(path.join(target, 'notes.module.ts'), path.join(target, `${name}.module.ts`));
    return target;
  }

  /** Writes a file of an extension. */
  write(file: string, content: string): void {
    const target = path.join(this.directory, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }

  /** Replaces a part of a file of an extension. */
  replace(file: string, part: string | RegExp, replacement: string): void {
    const content = readFileSync(path.join(this.directory, file), 'utf8');
    this.write(file, content.replace(part, replacement));
  }

  /** The directory of a build. */
  at(out: string): string {
    return path.join(this.directory, out);
  }

  /** Builds Parley with the extensions in these folders; without any, only with those of the checkout. */
  build(out: string, ...folders: readonly string[]): Ended {
    const script = path.join(ROOT, 'scripts/build.mjs');
    return this.node([script, '--out', this.at(out)], { EXTENSIONS_DIR: folders.join(':') });
  }

  /** Runs a built program to its end. */
  run(out: string, args: readonly string[], env: Readonly<Record<string, string>>): Ended {
    const [file = '', ...rest] = args;
    return this.node([path.join(this.at(out), file), ...rest], env);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  private node(args: readonly string[], env: Readonly<Record<string, string>>): Ended {
    return run(process.execPath, args, { env: { ...inherited(), ...env } });
  }
}
