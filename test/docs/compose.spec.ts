import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../sandbox/program.js';

const MAIN = 'docker-compose.yml';
const FILES = [
  MAIN,
  ...readdirSync(path.join(ROOT, 'examples'))
    .filter((name) => /^compose\..*\.yml$/.test(name))
    .map((name) => `examples/${name}`),
];
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const main = read(MAIN);

/** The settings of a block of the file at this indentation: `key: value` lines, with those of the blocks it merges. */
function settingsOf(block: string, indentation: string): Map<string, string> {
  const own = [...block.matchAll(new RegExp(`^${indentation}([\\w<]+):(?: (.*))?$`, 'gm'))].map(
    ([, key = '', value = '']) => [key, value] as const,
  );
  const [, merged] = own.find(([key]) => key === '<<') ?? [];
  return new Map([...(merged === undefined ? [] : anchored(merged.slice(1))), ...own]);
}

const anchored = (name: string): Map<string, string> => {
  const [, block = ''] = new RegExp(`^x-\\w+: &${name}\\n((?: .*\\n)+)`, 'm').exec(main) ?? [];
  return settingsOf(block, ' {2}');
};

/** Every service of a file, by its name. */
function servicesOf(file: string): [name: string, settings: Map<string, string>][] {
  const [, section = ''] = /^services:\n((?:(?: .*)?\n)+)/m.exec(read(file)) ?? [];
  return [...section.matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n)+)/gm)].map(([, name = '', block = '']) => [
    name,
    settingsOf(block, ' {4}'),
  ]);
}

/** Those that are defined, not only changed. */
const services = FILES.flatMap((file) =>
  servicesOf(file)
    .filter(([, settings]) => settings.has('image'))
    .map(([name, settings]) => ({ file, name, settings })),
);

describe('the Compose files', () => {
  it('define these services', () => {
    const names = services.map(({ name }) => name).sort();
    expect(names).toEqual(['api', 'migrate', 'postgres', 'proxy', 'redis', 'simulator', 'worker']);
  });

  it.each(services)('give $name of $file no way to write or to gain rights', ({ name, settings }) => {
    expect(Object.fromEntries(settings)).toMatchObject({
      ...{ read_only: 'true', cap_drop: '[ALL]', security_opt: "['no-new-privileges:true']" },
    });
    expect(settings.get('privileged')).toBeUndefined();
    // Ports 80 and 443.
    expect(settings.get('cap_add')).toBe(name === 'proxy' ? '[NET_BIND_SERVICE]' : undefined);
    // Named volumes, never a directory of the host.
    if (settings.has('volumes')) expect(settings.get('volumes')).toMatch(/^\['\w+:\/[\w/]+'\]$/);
  });

  it('open ports on loopback only, unless the file for TLS is used', () => {
    const ports = services.flatMap(({ name, settings }) =>
      settings.has('ports') ? [[name, settings.get('ports')]] : [],
    );
    expect(Object.fromEntries(ports)).toEqual({
      proxy: expect.stringMatching(/^\['127\.0\.0\.1:\$\{PORT:-3000\}:3000'\]$/),
      simulator: "['127.0.0.1:4000:4000']",
    });
    const [[name, changed] = []] = servicesOf('examples/compose.tls.yml');
    expect([name, changed?.get('ports')]).toEqual(['proxy', "!override ['80:80', '443:443', '443:443/udp']"]);
  });

  it('read their configs from files: texts cannot be written into read-only containers', () => {
    const [, section = ''] = /^configs:\n((?: .*\n)+)/m.exec(main) ?? [];
    expect(section).not.toContain('content:');
    const files = [...section.matchAll(/^ {4}file: (.*)$/gm)].map(([, file = '']) => file);
    expect(files.map((file) => [file, existsSync(path.join(ROOT, file))])).toEqual([['./examples/Caddyfile', true]]);
  });
});
