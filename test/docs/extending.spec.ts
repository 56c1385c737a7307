import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as api from '../../src/extension-api.js';
import { manifestOf } from '../../src/manifest/room.js';
import { MANIFEST } from '../../src/rooms.js';
import { outputOf } from '../support/commands.js';
import { Document } from './document.js';

const EXAMPLE = path.resolve(__dirname, '../../examples/extension-surveys/surveys');
const PAGE = readFileSync(path.resolve(__dirname, '../../docs/extending.md'), 'utf8');
/** A block of a file of the example: its path, and what the page shows of it. */
const BLOCK = /^```\w+ (\S+)\n([\s\S]*?)^```$/gm;
/** Stands for lines that are left out. */
const GAP = /^ *\/\/ …\n/m;

/** The parts of a block that the file does not have, in their order. */
function missingParts(file: string, block: string): string[] {
  let rest = `\n${readFileSync(path.join(EXAMPLE, file), 'utf8')}`;
  return block.split(GAP).filter((part) => {
    const at = rest.indexOf(`\n${part}`);
    // The line break at the end of a part may also begin the next one.
    rest = at < 0 ? rest : rest.slice(at + part.length);
    return at < 0;
  });
}

describe('docs/extending.md', () => {
  it('shows the files of the example as they are', () => {
    const blocks = [...PAGE.matchAll(BLOCK)];
    const wrong = blocks.flatMap(([, file = '', block = '']) =>
      missingParts(file, block).map((part) => `${file} has no such lines: ${part}`),
    );
    expect(wrong).toEqual([]);
    expect(blocks.length).toBeGreaterThan(12);
  });

  it('lists the services that an extension may use, each of which can be injected', () => {
    const listed = new Document('extending.md')
      .rowsUnder('## What it may use')
      .map(([name = '']) => name.replaceAll('`', ''));
    const services = Object.keys(api).filter((name) => name.endsWith('Service'));
    expect(listed.filter((name) => name.endsWith('Service'))).toEqual(services.sort());
    const injectable: readonly unknown[] = MANIFEST.rooms.flatMap((room) => manifestOf(room).exports ?? []);
    const exported = api as Readonly<Record<string, unknown>>;
    expect(services.filter((name) => !injectable.includes(exported[name]))).toEqual([]);
    expect(listed.filter((name) => exported[name] === undefined)).toEqual([]);
  });

  it('explains every field that the manifest of the example has', () => {
    const explained = new Document('extending.md').rowsUnder('## The manifest').map(([field]) => field);
    const module = readFileSync(path.join(EXAMPLE, 'surveys.module.ts'), 'utf8');
    const fields = [...module.matchAll(/^ {2}(\w+): /gm)].map(([, field]) => `\`${field}\``);
    expect(explained).toEqual(fields);
  });

  it('begins with a copy of the example under another name', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'parley-copy-'));
    try {
      const script = path.resolve(__dirname, '../../scripts/new-extension.mjs');
      outputOf(process.execPath, [script, 'daily_polls', folder]);
      const copy = path.join(folder, 'daily_polls');
      const files = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const texts = files.map(({ name, parentPath }) => name + readFileSync(path.join(parentPath, name), 'utf8'));
      expect(files.map(({ name }) => name)).toContain('daily_polls.module.ts');
      expect(texts.filter((text) => /survey/i.test(text))).toEqual([]);
      expect(texts.filter((text) => text.includes('export default class DailyPollsModule {}'))).toHaveLength(1);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
