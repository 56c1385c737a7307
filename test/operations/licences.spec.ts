import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { run } from '../support/commands.js';

const ROOT = path.resolve(__dirname, '../..');

const check = (...args: string[]) => {
  const script = path.join(ROOT, 'scripts/licences.mjs');
  const { status, stderr } = run(process.execPath, [script, ...args]);
  return { status, stderr };
};

const component = (name: string, license: object) => ({
  name,
  version: '1.2.3',
  hashes: [{ alg: 'SHA-512', content: 'ab' }],
  licenses: [license],
});

describe('the licences of production dependencies', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'parley-licences-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  const checkOf = (...components: object[]) => {
    const file = path.join(directory, 'bom.json');
    writeFileSync(file, JSON.stringify({ bomFormat: 'CycloneDX', components }));
    return check('--from', file);
  };

  it('are on the list, and the bill of materials names every direct dependency', () => {
    const out = path.join(directory, 'parley.json');
    expect(check('--out', out)).toEqual({ status: 0, stderr: '' });
    const { components } = JSON.parse(readFileSync(out, 'utf8')) as { components: { name: string; purl: string }[] };
    const { dependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl).replace(/^pkg:npm\/(.*)@.*$/, '$1')));
    expect(Object.keys(dependencies).filter((name) => !listed.has(name))).toEqual([]);
  });

  it('fail the check when one is not on the list', () => {
    const outcome = checkOf(
      component('fine', { license: { id: 'MIT' } }),
      component('copyleft', { license: { id: 'AGPL-3.0-only' } }),
    );
    expect(outcome.status).toBe(1);
    expect(outcome.stderr).toContain('copyleft 1.2.3 has the licence AGPL-3.0-only, which is not on the list');
    expect(outcome.stderr).not.toContain('fine');
  });

  it('may be chosen from alternatives, and must all be on the list where they hold together', () => {
    expect(checkOf(component('either', { expression: '(GPL-2.0-only OR MIT)' })).status).toBe(0);
    expect(checkOf(component('both', { expression: 'MIT AND GPL-2.0-only' })).status).toBe(1);
  });

  it('fail the check when a package names no licence, or has no checksum', () => {
    const { licenses: _, ...unlicensed } = component('silent', {});
    expect(checkOf(unlicensed).stderr).toContain('silent 1.2.3 names no licence');
    const { hashes: __, ...unchecked } = component('loose', { license: { id: 'MIT' } });
    expect(checkOf(unchecked).stderr).toContain('loose 1.2.3 has no checksum');
  });
});
