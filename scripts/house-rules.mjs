// House rules that no standard linter checks; part of `npm run check`.
import fs from 'node:fs';
import path from 'node:path';
import { consentWrites } from './consent-writes.mjs';
import { root } from './install.mjs';
import { slowPatterns } from './slow-patterns.mjs';

const MAX_LINES = 330;
const MAX_PARAMETERS = 6;

const TESTS = /^(?:test\/(?!support\/).*|(?:src|simulator|sandbox|clients)\/.*\.spec)\.ts$/;

/** Each rule: the files it applies to, the pattern (of a line, of the text or of the name), and the reason shown. */
const RULES = [
  {
    why: 'forwardRef hides a cycle: move the shared code to a lower room',
    files: /^src\/.*\.ts$/,
    line: /\bforwardRef\b/,
  },
  {
    why: 'read process.env only in src/config, where values are validated once, at start',
    files: /^src\/(?!config\/|cli\.ts|cli\/|main\.ts|.*\.spec\.ts).*\.ts$/,
    line: /\bprocess\.env\b/,
  },
  {
    why: 'take the time from values/clock.ts, and measure durations with performance.now(): the system clock may jump',
    files: /^src\/(?!values\/clock\.ts|.*\.spec\.ts).*\.ts$/,
    line: /\bDate\.now\(|\bnew Date\(\)/,
  },
  {
    why: 'long work goes in slices: use runtime/slices.ts. The files listed share out turns in other ways',
    files:
      /^src\/(?!runtime\/|database\/batching\/micro-batch\.ts|queues\/postgres-queue|rate-limit\/redis-request|.*\.spec\.ts).*\.ts$/,
    line: /\bsetImmediate\b/,
  },
  {
    why: 'limits of fields come from the decorators of http/field-rules.ts and list-rules.ts, which describe what they check; the files listed have decorators of their own',
    files:
      /^src\/.*(?:\/dto\/(?!template-fields\.dto|create-template\.dto|webhook-fields|send-window\.field)|http\/[^/]*\.dto\.ts).*/,
    line: /\b(?:maxLength|minLength|maxItems|minItems|maxProperties|minimum|maximum|pattern):/,
  },
  {
    why: 'limits of fields are constants of their room, named MAX_… and MIN_…',
    files: /^src\/.*\.ts$/,
    line: /^\s*@(?:Text|TextList|IdList|WholeNumber|NumberBetween|NumberList|ObjectList)\([^'`]*\b\d{2,}/,
  },
  {
    why: 'bodies and queries are checked by http/request-reader.ts alone: use the decorators of http/field-rules.ts',
    files: /^src\/.*\.ts$/,
    line: /^import (?!\{ isEmail \}).*'class-(?:validator|transformer)'/,
  },
  {
    why: "run programs to their end with test/support/commands.ts, which has a limit: jest's cannot end a test that waits like this",
    files: /^test\/(?!support\/commands\.ts).*\.ts$/,
    line: /\b(?:spawnSync|execFileSync|execSync)\b/,
  },
  {
    why: 'so many requests at once wait longer for a lock than the service lets them: use test/support/crowd.ts',
    files: TESTS,
    text: /Promise\.all\(\s*Array\.from\(\{ length: (?![1-8] \})/g,
  },
  {
    why: 'a busy machine is slow without being wrong: prove by order, by counts or by stored times that nobody waits',
    files: TESTS,
    text: /expect\([^;]*?(?:\b(?:performance|Date)\.now\(|[sS]topwatch|[eE]lapsed|[tT]ook|[wW]aited|\bms\b)[^;]*?\)\s*\.toBeLessThan/g,
  },
  {
    why: 'file names are kebab-case, with a dot before the kind',
    files: /^(?:src|simulator|sandbox|clients|console|test|bench|scripts|migrations)\//,
    name: /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/,
  },
  {
    why: 'name a file or folder after its content, not utils, common, helpers or types',
    files: /(?:^|\/)(?:utils?|common|helpers?|types)(?:\/|\.ts$)/,
    name: /^$/,
  },
  {
    why: `keep files to about 300 lines (the limit is ${MAX_LINES})`,
    files:
      /^(?:src|simulator|sandbox|clients\/\w+\/src\/(?!generated\/)|console|scripts|bench)\/.*(?<!\.spec)\.(?:m?[tj]s|tsx|css)$/,
    lines: MAX_LINES,
  },
];

/** Words to avoid, and what to write instead. */
const VOCABULARY = [
  { line: /\bD\d{1,3}\b/, why: 'give the reason, not the number of a decision' },
  { line: /\bSPEC(?:,| §| ?\d)/, why: 'give the reason, not a section of the contract' },
  { line: /\bNETWORK\.md\b|\bARCHITECTURE\b/, why: 'give the reason, not the name of a document' },
  { line: /\b(?:MOST|LONGEST|FEWEST)_[A-Z]/, why: 'name limits MAX_… and MIN_…' },
  { line: /heed|takeTurn/i, why: 'use a common word: apply, obey, lock' },
  {
    files: /^src\/.*\/dto\//,
    line: /\bclass \w+(?:Dto|Body)\b/,
    why: 'name request bodies XRequest, queries XQuery, responses XResponse, and their parts XRecord or XField',
  },
];
/** Exempt, because it contains the forbidden words. */
const THIS_FILE = 'scripts/house-rules.mjs';

/** Kinds of files named after their class: `x-y.service.ts` exports `XYService`, `x-y.entity.ts` exports `XY`. */
const KINDS = ['service', 'controller', 'module', 'processor', 'sweep', 'guard', 'interceptor', 'pipe', 'entity'];

/** The lines of `file` with words to avoid. */
function bannedWords(file) {
  const rules = VOCABULARY.filter(({ files }) => files === undefined || files.test(file));
  return linesOf(file).flatMap((line, index) =>
    rules.filter((rule) => rule.line.test(line)).map(({ why }) => `${file}:${index + 1}: ${why}`),
  );
}

/** A violation if `file` does not export the class that its name requires. */
function missingClass(file) {
  const [stem, kind, ...rest] = path.basename(file, '.ts').split('.');
  if (!file.startsWith('src/') || !KINDS.includes(kind) || rest.length > 0) return [];
  const name = stem.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
  const required = kind === 'entity' ? name : name + kind[0].toUpperCase() + kind.slice(1);
  const found = linesOf(file).some((line) => new RegExp(`^export (?:abstract )?class ${required}\\b`).test(line));
  return found ? [] : [`${file}: must export the class ${required}`];
}

/** The number of parameters of a class's constructor in `text`, from the opening parenthesis at `start`. */
function parametersFrom(text, start) {
  let [depth, parameters, isFilled] = [0, 0, false];
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if ('([{<'.includes(character)) depth += 1;
    else if (')]}'.includes(character) || (character === '>' && text[at - 1] !== '=')) depth -= 1;
    else if (depth === 1 && character === ',') [parameters, isFilled] = [parameters + 1, false];
    else if (depth === 1 && /\w/.test(character)) isFilled = true;
    if (depth === 0) break;
  }
  return isFilled ? parameters + 1 : parameters;
}

/** A violation for each constructor of `file` with too many parameters. */
function crowdedConstructors(file) {
  if (!/^(?:src|simulator)\/.*\.ts$/.test(file)) return [];
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  return [...text.matchAll(/^ {2}constructor\(/gm)].flatMap(({ index }) => {
    const parameters = parametersFrom(text, text.indexOf('(', index));
    return parameters > MAX_PARAMETERS
      ? [`${file}: a constructor has ${parameters} parameters: split the class (the limit is ${MAX_PARAMETERS})`]
      : [];
  });
}

const linesOf = (file) => fs.readFileSync(path.join(root, file), 'utf8').split('\n');

/** The patterns of `file` whose time grows faster than the text that they read. */
const slow = (file) =>
  /^(?:src|simulator|sandbox|clients|console)\/.*(?<!\.spec)\.tsx?$/.test(file)
    ? slowPatterns(file, fs.readFileSync(path.join(root, file), 'utf8'))
    : [];

/** The statements of `file` that write consent, which only src/consent may. */
const consent = (file) => consentWrites(file, fs.readFileSync(path.join(root, file), 'utf8'));

/** All files that the rules apply to. */
const checkedFiles = () =>
  ['src', 'simulator', 'sandbox', 'clients/typescript/src', 'console', 'test', 'bench', 'scripts', 'migrations']
    .flatMap(walk)
    .filter((file) => !file.endsWith('.woff2'));

function brokenHouseRules() {
  const files = checkedFiles();
  const found = files
    .filter((file) => file !== THIS_FILE)
    .flatMap((file) => [
      ...bannedWords(file),
      ...missingClass(file),
      ...crowdedConstructors(file),
      ...slow(file),
      ...consent(file),
    ]);
  for (const file of files) {
    const rules = RULES.filter(({ files }) => files.test(file));
    if (rules.length === 0) continue;
    const lines = linesOf(file);
    for (const rule of rules) {
      if (rule.name && !rule.name.test(path.basename(file))) found.push(`${file}: ${rule.why}`);
      if (rule.lines && lines.length - 1 > rule.lines) found.push(`${file}: ${lines.length - 1} lines; ${rule.why}`);
      if (rule.text) {
        const text = lines.join('\n');
        for (const { index } of text.matchAll(rule.text))
          found.push(`${file}:${text.slice(0, index).split('\n').length}: ${rule.why}`);
      }
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

const found = brokenHouseRules();
for (const line of found) console.log(line);
process.exit(found.length === 0 ? 0 : 1);
