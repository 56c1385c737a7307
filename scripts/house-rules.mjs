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
    files: /^src\/(?!config\/|cli\.ts|cli\/|main\.ts|.*\.spec\.ts).*\.ts$/,
    line: /\bprocess\.env\b/,
  },
  {
    why: 'the clock of a machine may jump: take the time from values/clock.ts, and measure durations with performance.now()',
    files: /^src\/(?!values\/clock\.ts|.*\.spec\.ts).*\.ts$/,
    line: /\bDate\.now\(|\bnew Date\(\)/,
  },
  {
    why: 'file names are kebab-case, with dots before their kind',
    files: /^(?:src|simulator|sandbox|test|bench|scripts|migrations)\//,
    name: /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/,
  },
  {
    why: 'a drawer is no room: name it after what it holds',
    files: /(?:^|\/)(?:utils?|common|helpers?|types)(?:\/|\.ts$)/,
    name: /^$/,
  },
  {
    why: `a file has about 300 lines at most (${LINES_AT_MOST} here)`,
    files: /^(?:src|simulator|sandbox|scripts|bench)\/.*(?<!\.spec)\.m?[tj]s$/,
    lines: LINES_AT_MOST,
  },
];

/** Words that are not written any more, and what is written instead; the page “Words” of the style guide has more. */
const VOCABULARY = [
  { line: /\bD\d{1,3}\b/, why: 'give the reason, not the number of a decision' },
  { line: /\bSPEC(?:,| §| ?\d)/, why: 'give the reason, not a section of the contract' },
  { line: /\bNETWORK\.md\b|\bARCHITECTURE\b/, why: 'give the reason, not the page that it stands on' },
  { line: /\b(?:MOST|LONGEST|FEWEST)_[A-Z]/, why: 'limits are called MAX_… and MIN_…' },
  { line: /heed|takeTurn/i, why: 'nobody would say it: apply, obey, lock' },
  {
    files: /^src\/.*\/dto\//,
    line: /\bclass \w+(?:Dto|Body)\b/,
    why: 'what comes in is XRequest or XQuery, what goes out is XResponse; parts are XRecord or XField',
  },
];
/** It names what it forbids. */
const THIS_FILE = 'scripts/house-rules.mjs';

/** Kinds of files that say what their class is: `x-y.service.ts` holds `XYService`, `x-y.entity.ts` holds `XY`. */
const KINDS = ['service', 'controller', 'module', 'processor', 'sweep', 'guard', 'interceptor', 'pipe', 'entity'];

/** Lines of `file` with words that are not written any more. */
export function wrongWords(file) {
  const rules = VOCABULARY.filter(({ files }) => files === undefined || files.test(file));
  return linesOf(file).flatMap((line, index) =>
    rules.filter((rule) => rule.line.test(line)).map(({ why }) => `${file}:${index + 1}: ${why}`),
  );
}

/** The class that the name of `file` promises and the file does not export, as a line to print. */
function missingClass(file) {
  const [stem, kind, ...rest] = path.basename(file, '.ts').split('.');
  if (!file.startsWith('src/') || !KINDS.includes(kind) || rest.length > 0) return [];
  const name = stem.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
  const wanted = kind === 'entity' ? name : name + kind[0].toUpperCase() + kind.slice(1);
  const found = linesOf(file).some((line) => new RegExp(`^export (?:abstract )?class ${wanted}\\b`).test(line));
  return found ? [] : [`${file}: its name promises a class ${wanted}`];
}

const linesOf = (file) => fs.readFileSync(path.join(root, file), 'utf8').split('\n');

/** Every file that the rules are about. */
export const judgedFiles = () =>
  ['src', 'simulator', 'sandbox', 'test', 'bench', 'scripts', 'migrations'].flatMap(walk);

export function brokenHouseRules() {
  const files = judgedFiles();
  const found = files
    .filter((file) => file !== THIS_FILE)
    .flatMap((file) => [...wrongWords(file), ...missingClass(file)]);
  for (const file of files) {
    const rules = RULES.filter(({ files }) => files.test(file));
    if (rules.length === 0) continue;
    const lines = linesOf(file);
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
