// Rules of the house that no off-the-shelf linter knows; part of `npm run check`.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './install.mjs';

const LINES_AT_MOST = 330;

/** Each rule: which files it judges, what is wrong with one, and why. */
const RULES = [
  {
    why: 'forwardRef hides a cycle: move what both need to a lower room',
    files: /^src\/.*\.ts$/,
    line: /\bforwardRef\b/,
  },
  {
    why: 'process.env is read in src/config only, so that every value is validated once, at start',
    files: /^src\/(?!config\/|sandbox|demo|cli\.ts|cli\/|main\.ts|.*\.spec\.ts).*\.ts$/,
    line: /\bprocess\.env\b/,
  },
  {
    why: 'file names are kebab-case, with dots before their kind',
    files: /^(?:src|test|bench|scripts|migrations)\//,
    name: /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/,
  },
  {
    why: 'a drawer is no room: name it after what it holds',
    files: /(?:^|\/)(?:utils?|common|helpers?|types)(?:\/|\.ts$)/,
    name: /^$/,
  },
  {
    why: `a file has about 300 lines at most (${LINES_AT_MOST} here)`,
    files: /^(?:src|scripts|bench)\/.*(?<!\.spec)\.m?[tj]s$/,
    lines: LINES_AT_MOST,
  },
];

export function brokenHouseRules() {
  const found = [];
  for (const file of ['src', 'test', 'bench', 'scripts', 'migrations'].flatMap(walk)) {
    const rules = RULES.filter(({ files }) => files.test(file));
    if (rules.length === 0) continue;
    const lines = fs.readFileSync(path.join(root, file), 'utf8').split('\n');
    for (const rule of rules) {
      if (rule.name && !rule.name.test(path.basename(file))) found.push(`${file}: ${rule.why}`);
      if (rule.lines && lines.length - 1 > rule.lines) found.push(`${file}: ${lines.length - 1} lines; ${rule.why}`);
      if (!rule.line) continue;
      lines.forEach((line, index) => {
        if (rule.line.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line)) found.push(`${file}:${index + 1}: ${rule.why}`);
      });
    }
  }
  return found;
}

function walk(directory) {
  if (!fs.existsSync(path.join(root, directory))) return [];
  return fs.readdirSync(path.join(root, directory), { withFileTypes: true }).flatMap((entry) => {
    const name = `${directory}/${entry.name}`;
    return entry.isDirectory() ? walk(name) : [name];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = brokenHouseRules();
  for (const line of found) console.log(line);
  process.exit(found.length === 0 ? 0 : 1);
}
