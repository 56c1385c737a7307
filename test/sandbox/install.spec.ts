import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isRunning, Program, temporaryDirectory } from './program.js';

const INSTALL = `
  import { ensureInstalled } from './scripts/install.mjs';
  const options = { directory: process.env.CHECKOUT, development: process.env.DEVELOPMENT === 'yes' };
  await ensureInstalled(options).catch((error) => console.error(error.message));`;

// A fake npm: records its calls and installs what the lockfile lists.
const NPM = `
  const fs = require('node:fs');
  const command = process.argv.slice(2).join(' ');
  fs.appendFileSync('npm-calls', command + '\\n');
  console.log('added 1 package in 3s');
  if (fs.existsSync('fail')) { console.error('npm error network'); process.exit(1); }
  if (fs.existsSync('stale') && command.includes('--prefer-offline')) {
    console.error('npm error code ETARGET');
    process.exit(1);
  }
  if (command.startsWith('ci')) fs.rmSync('node_modules', { recursive: true, force: true });
  const lock = JSON.parse(fs.readFileSync('package-lock.json', 'utf8'));
  delete lock.packages[''];
  delete lock.packages['node_modules/other-platform'];
  if (command.includes('--omit=dev')) delete lock.packages['node_modules/tester'];
  for (const location of Object.keys(lock.packages)) {
    fs.mkdirSync(location, { recursive: true });
    fs.writeFileSync(location + '/package.json', '{}', { flag: 'a' });
  }
  setTimeout(() => fs.writeFileSync('node_modules/.package-lock.json', JSON.stringify(lock)), 200);`;

describe('installing the dependencies', () => {
  let checkout: string;

  beforeEach(() => {
    checkout = temporaryDirectory();
    write('package.json', { dependencies: { a: '^1.0.0' }, devDependencies: { tester: '^1.0.0' } });
    lockVersion('1.0.0');
    writeFileSync(path.join(checkout, 'npm-cli.js'), NPM);
  });

  afterEach(async () => {
    await Program.killAll();
    rmSync(checkout, { recursive: true, force: true });
  });

  const write = (file: string, content: unknown) => {
    mkdirSync(path.dirname(path.join(checkout, file)), { recursive: true });
    writeFileSync(path.join(checkout, file), JSON.stringify(content));
  };
  const lockVersion = (version: string) =>
    write('package-lock.json', {
      packages: {
        '': { dependencies: { a: '^1.0.0' } },
        'node_modules/a': { version },
        'node_modules/tester': { version: '1.0.0', dev: true },
        'node_modules/other-platform': { version: '1.0.0', optional: true, os: ['plan9'] },
      },
    });
  const install = async (env: Record<string, string> = {}) => {
    const npm_execpath = path.join(checkout, 'npm-cli.js');
    const program = Program.module(INSTALL, { CHECKOUT: checkout, npm_execpath, ...env });
    await program.exit;
    return program.stderr + program.stdout;
  };
  const installForTests = () => install({ DEVELOPMENT: 'yes' });
  const read = (name: string) =>
    existsSync(path.join(checkout, name)) ? readFileSync(path.join(checkout, name), 'utf8') : '';
  const calls = () => read('npm-calls').split('\n').slice(0, -1);

  it('runs npm ci once, says so in one line, and is silent afterwards', async () => {
    expect(await install()).toBe('Installing the dependencies (npm ci) …\n');
    expect(await install()).toBe('');
    expect(calls()).toEqual([expect.stringMatching(/^ci --omit=dev --ignore-scripts --no-audit --no-fund/)]);
  });

  it('adds what tests need on the first test run, and keeps the rest', async () => {
    await install();
    const { ino } = statSync(path.join(checkout, 'node_modules/a/package.json'));
    expect(await installForTests()).toBe('Installing what tests and checks need (npm install) …\n');
    expect(calls()).toEqual([
      expect.stringMatching(/^ci /),
      expect.stringMatching(/^install --no-save --include=dev /),
    ]);
    expect(statSync(path.join(checkout, 'node_modules/a/package.json')).ino).toBe(ino);
    expect([await installForTests(), await install()]).toEqual(['', '']);
    rmSync(path.join(checkout, 'node_modules/tester'), { recursive: true });
    expect(await install()).toBe('');
    expect(await installForTests()).toContain('npm install');
  });

  it('installs everything in one run for tests', async () => {
    await installForTests();
    expect(calls()).toEqual([expect.stringMatching(/^ci --include=dev /)]);
    expect([await installForTests(), await install()]).toEqual(['', '']);
  });

  it('never removes what tests need', async () => {
    await installForTests();
    lockVersion('1.0.1');
    expect(await install()).toContain('npm ci');
    expect(await installForTests()).toBe('');
    expect(calls()).toEqual([0, 1].map(() => expect.stringMatching(/^ci --include=dev /)));
  });

  it('queries the registry when the npm cache is older than the lockfile', async () => {
    writeFileSync(path.join(checkout, 'stale'), '');
    expect(await install()).toBe('Installing the dependencies (npm ci) …\n');
    expect(calls()).toEqual([expect.stringMatching(/--prefer-offline$/), expect.not.stringContaining('offline')]);
    expect(await install()).toBe('');
  });

  it('installs again when the lockfile has changed', async () => {
    await install();
    lockVersion('1.0.1');
    expect(await install()).toContain('Installing');
    expect(calls()).toHaveLength(2);
  });

  it('accepts a manual installation', async () => {
    write('node_modules/a/package.json', {});
    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0' } } });
    expect(await install()).toBe('');
    expect(calls()).toEqual([]);
  });

  it('does not accept other versions or missing folders', async () => {
    write('node_modules/a/package.json', {});
    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '0.9.0' } } });
    await install();
    expect(calls()).toHaveLength(1);
    rmSync(path.join(checkout, 'node_modules', 'a'), { recursive: true });
    await install();
    expect(calls()).toHaveLength(2);
  });

  it('installs once when several processes start concurrently', async () => {
    const outputs = await Promise.all([install(), install(), install()]);
    expect(calls()).toHaveLength(1);
    expect(outputs.filter((output) => output.includes('Installing'))).toHaveLength(1);
  });

  it('ends the npm left behind by a killed installation, and reinstalls', async () => {
    const cli = path.join(checkout, 'npm-cli.js');
    const slow = `fs.writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000);`;
    writeFileSync(
      cli,
      `const fs = require('node:fs');\nif (!fs.existsSync('pid')) { ${slow} } else { ${NPM.replace("const fs = require('node:fs');", '')} }`,
    );
    const killed = Program.module(INSTALL, { CHECKOUT: checkout, npm_execpath: cli });
    const pid = Number(await killed.until('npm to run', () => read('pid')));
    killed.kill('SIGKILL');
    expect(isRunning(pid)).toBe(true);
    await install();
    expect(isRunning(pid)).toBe(false);
    expect(await install()).toBe('');
  });

  it('shows npm’s output when it fails, and retries the next time', async () => {
    writeFileSync(path.join(checkout, 'fail'), '');
    expect(await install()).toMatch(/npm ci failed \(exit 1\):[\s\S]*npm error network/);
    rmSync(path.join(checkout, 'fail'));
    await install();
    expect(calls()).toHaveLength(2);
  });
});
